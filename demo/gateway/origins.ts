import type { IncomingHttpHeaders } from 'node:http';
import { inUrl, isEverywhere } from './host.ts';

/** Which pages may use the gateway. */
export interface Reach {
  /** Origins, besides the gateway's own. */
  readonly allowOrigins: readonly string[];
  /** What the gateway listens on. */
  readonly host: string;
}

/** The names under which every machine calls itself. */
const LOCAL_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Why a request must be refused, as a sentence for the screen; undefined when it may pass.
 *
 * Even where the gateway listens on loopback only, any page that is open in a browser on this machine can send
 * requests there, and `GET levanta` changes state. So a browser must say that the page is ours or an allowed one.
 * A program that is no browser sends neither header and passes. The host is checked as well, since a page of
 * another name that was made to resolve to 127.0.0.1 would look like our own.
 */
export function refusalOf(headers: IncomingHttpHeaders, reach: Reach): string | undefined {
  const { host = '', origin } = headers;
  if (origin !== undefined && reach.allowOrigins.includes(origin)) return undefined;

  if (!isOwn(host, reach)) return `No se atienden peticiones para el servidor '${host}'`;

  if (origin !== undefined) {
    return hostOf(origin) === host ? undefined : `No se permiten peticiones desde '${origin}'`;
  }
  // Without an Origin: an image, a link or a form's GET, which only this header tells apart from our own.
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return 'No se permiten peticiones desde páginas de otro sitio';
  }
  return undefined;
}

/** Who listens everywhere cannot know all names that lead to it, and has a token that no other page knows. */
function isOwn(host: string, { allowOrigins, host: own }: Reach): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return (
    LOCAL_HOSTS.has(name) ||
    name === inUrl(own) ||
    isEverywhere(own) ||
    allowOrigins.some((allowed) => hostOf(allowed) === host)
  );
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
