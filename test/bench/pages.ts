import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { FastifyInstance } from 'fastify';
import { createSeeds } from '../../gateway/src/engines/simulated/seeds.ts';

/** The panel alone on a page: the element, and the script that it comes with. */
const PANEL = `<!doctype html>
<html lang="es">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Panel</title>
    <style>body { margin: 0; }</style>
    <script src="/bench/panel.js" defer></script>
  </head>
  <body><whatsapp-operadores></whatsapp-operadores></body>
</html>`;

/** The same with a row for each session. */
const LIST = PANEL.replace('<whatsapp-operadores>', '<whatsapp-operadores view="list">');

const numeros = createSeeds(20).map(({ numero }) => numero);

/** Elements of one number each. */
const single = (count: number) =>
  PANEL.replace(
    /<body>.*<\/body>/,
    `<body>${numeros
      .slice(0, count)
      .map((numero) => `<whatsapp-operadores numero="${numero}"></whatsapp-operadores>`)
      .join('')}</body>`,
  );

/** The leanest page in React. */
const LEAN = PANEL.replaceAll('whatsapp-operadores', 'lean-page').replace('panel.js', 'lean.js');

/** A page with none of them. */
const BARE = '<!doctype html><html lang="es"><head><title>Bare</title></head><body></body></html>';

export type PageName = 'panel' | 'list' | 'single' | 'twenty' | 'floor' | 'lean' | 'bare';

export function pathOf(page: PageName): string {
  return `/bench/${page}.html`;
}

/** Adds the pages to a gateway, so that nothing about them is of another origin. */
export async function servePages(app: FastifyInstance): Promise<void> {
  const floor = await readFile(new URL('floor/floor.html', import.meta.url), 'utf8');
  const html: Readonly<Record<PageName, string>> = {
    panel: PANEL,
    list: LIST,
    single: single(1),
    twenty: single(20),
    floor,
    lean: LEAN,
    bare: BARE,
  };
  for (const [name, page] of Object.entries(html))
    app.get(`/bench/${name}.html`, (_request, reply) => reply.type('text/html').send(page));
  const scripts = {
    panel: await readFile(new URL('../../dist/whatsapp-operadores.js', import.meta.url), 'utf8'),
    floor: await bundle('floor/floor.ts'),
    lean: await bundle('lean/lean.tsx'),
  };
  for (const [name, script] of Object.entries(scripts)) {
    // As most servers send it; a slow network would have to carry three times as much.
    const body = gzipSync(script);
    app.get(`/bench/${name}.js`, (_request, reply) =>
      reply.type('text/javascript').header('content-encoding', 'gzip').send(body),
    );
  }
}

/** A script of this folder with all that it imports, as a page would be served it. */
export async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    loader: { '.css': 'text' },
    conditions: ['browser', 'production'],
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text ?? '';
}
