import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { FastifyInstance } from 'fastify';

/** The panel alone on a page: the element, and the script that it comes with. */
const PANEL = `<!doctype html>
<html lang="es">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Panel</title>
    <style>body { margin: 0; }</style>
    <script src="/whatsapp-operadores.js" defer></script>
  </head>
  <body><whatsapp-operadores></whatsapp-operadores></body>
</html>`;

/** The same with a row for each session. */
const LIST = PANEL.replace('<whatsapp-operadores>', '<whatsapp-operadores view="list">');

/** A page with neither. */
const BARE = '<!doctype html><html lang="es"><head><title>Bare</title></head><body></body></html>';

export type PageName = 'panel' | 'list' | 'floor' | 'bare';

export function pathOf(page: PageName): string {
  return `/bench/${page}.html`;
}

/** Adds the pages to a gateway, so that nothing about them is of another origin. */
export async function servePages(app: FastifyInstance): Promise<void> {
  const floor = await readFile(new URL('floor/floor.html', import.meta.url), 'utf8');
  const html = { panel: PANEL, list: LIST, floor, bare: BARE };
  const names: readonly PageName[] = ['panel', 'list', 'floor', 'bare'];
  for (const name of names)
    app.get(pathOf(name), (_request, reply) => reply.type('text/html').send(html[name]));
  const script = await bundle('floor/floor.ts');
  app.get('/bench/floor.js', (_request, reply) => reply.type('text/javascript').send(script));
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
  });
  return outputFiles[0]?.text ?? '';
}
