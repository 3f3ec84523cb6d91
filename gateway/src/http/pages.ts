import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

const DEMO = fileURLToPath(new URL('../../../demo', import.meta.url));
const DIST = fileURLToPath(new URL('../../../dist', import.meta.url));

/** Restricts the demo pages to their own files and their server. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  // The gallery of states frames the panel's scenes.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const COMMON_HEADERS = {
  // Revalidated each time, mostly with a 304: a new build must show at once.
  'Cache-Control': 'no-cache',
};

/** Pages of any origin may embed the built files, as classic scripts and as modules. */
const BUNDLE_HEADERS = {
  ...COMMON_HEADERS,
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
};

/** File types of web pages; excludes other files beside them, such as a `--data` folder. */
const OF_PAGES = /(?:\/|\.(?:css|html|js|json|map|svg|ts|txt))$/;
const allowedPath = (path: string) => OF_PAGES.test(path);

/** Returns a function that sets these headers on a file's answer, for `@fastify/static`. */
export function fileHeaders(values: Readonly<Record<string, string>>) {
  return (reply: FastifyReply) => reply.headers(values);
}

/** Serves the demo pages at `/`, and the built files at `/dist/`; the bundle also beside the pages. */
export function staticFiles(app: FastifyInstance): void {
  app.register(fastifyStatic, {
    root: DEMO,
    // One route per existing file; other paths go to the API's routes.
    wildcard: false,
    preCompressed: true,
    allowedPath,
    cacheControl: false,
    decorateReply: false,
    setHeaders: fileHeaders({ ...COMMON_HEADERS, 'Content-Security-Policy': CONTENT_SECURITY_POLICY }),
  });

  app.register(async (built) => {
    built.register(fastifyStatic, {
      root: DIST,
      prefix: '/dist/',
      preCompressed: true,
      allowedPath,
      cacheControl: false,
      setHeaders: fileHeaders(BUNDLE_HEADERS),
    });
    for (const file of ['whatsapp-operadores.js', 'whatsapp-operadores.js.map']) {
      // Unlike a call, a page answers HEAD.
      built.get(`/${file}`, { exposeHeadRoute: true }, (_request, reply) => reply.sendFile(file));
    }
  });
}
