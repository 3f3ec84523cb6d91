import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const DEMO = fileURLToPath(new URL('..', import.meta.url));
const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
/** What the portal takes from npm: most portals stand on a framework's sheet, with rules for every element. */
const BOOTSTRAP = fileURLToPath(import.meta.resolve('bootstrap/dist/css/bootstrap.min.css'));

/** What the demo pages may do: run what comes from here, and talk to their servers; nothing else. */
function contentSecurityPolicy(otherServers: readonly string[]): string {
  const sockets = otherServers.map((origin) => origin.replace(/^http/, 'ws'));
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...otherServers, ...sockets].join(' '),
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

const COMMON_HEADERS = {
  // Asked anew each time, and answered with 304 mostly: a build must show at once.
  'Cache-Control': 'no-cache',
};

/** Pages of any origin may embed the built files, as classic scripts and as modules. */
const BUNDLE_HEADERS = {
  ...COMMON_HEADERS,
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
};

/** The kinds of files that pages are made of, and nothing that somebody keeps beside them, such as a `--data` folder. */
const OF_PAGES = /(?:\/|\.(?:css|html|js|json|map|svg|ts|txt))$/;
const allowedPath = (path: string) => OF_PAGES.test(path);

/** A page that GET shows has a HEAD as well, unlike a call. */
const WITH_HEAD = { exposeHeadRoute: true };

interface Response {
  setHeader(name: string, value: string): unknown;
}

function headers(values: Record<string, string>) {
  return (response: Response) => {
    for (const [name, value] of Object.entries(values)) response.setHeader(name, value);
  };
}

/**
 * The demo pages at `/`, and the built files at `/dist/`; the bundle also beside the pages.
 * @param otherServers the origins of other gateways that the pages may use too
 */
export function staticFiles(app: FastifyInstance, otherServers: readonly string[]): void {
  app.register(fastifyStatic, {
    root: DEMO,
    // A route for each file that is there now: what is not a file stays with the routes of the API.
    wildcard: false,
    globIgnore: ['gateway/**'],
    allowedPath,
    cacheControl: false,
    decorateReply: false,
    setHeaders: headers({
      ...COMMON_HEADERS,
      'Content-Security-Policy': contentSecurityPolicy(otherServers),
    }),
  });

  app.get('/portal/servers.json', WITH_HEAD, (_request, reply) =>
    reply.headers(COMMON_HEADERS).send(otherServers),
  );
  app.get('/vendor/bootstrap.css', WITH_HEAD, (_request, reply) =>
    reply.headers(COMMON_HEADERS).type('text/css').send(createReadStream(BOOTSTRAP)),
  );

  app.register(async (built) => {
    built.register(fastifyStatic, {
      root: DIST,
      prefix: '/dist/',
      allowedPath,
      cacheControl: false,
      setHeaders: headers(BUNDLE_HEADERS),
    });
    for (const file of ['whatsapp-operadores.js', 'whatsapp-operadores.js.map']) {
      built.get(`/${file}`, WITH_HEAD, (_request, reply) => reply.sendFile(file));
    }
  });
}
