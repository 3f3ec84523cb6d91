import type { IncomingHttpHeaders } from 'node:http';
import { isCall } from './fetch-metadata.ts';
import { inUrl, isEverywhere } from './host.ts';

/** Which pages may use the gateway. */
export interface OriginPolicy {
  /** Origins, besides the gateway's own. */
  readonly allowOrigins: readonly string[];
  /** What the gateway listens on. */
  readonly host: string;
}

const NOT_A_CALL = 'Esta dirección es para programas: no se puede abrir ni insertar en una página';

/** The names under which every machine calls itself. */
const LOCAL_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Why a request must be refused, as a sentence for the screen; undefined when it may pass.
 *
 * Any page that is open in a browser on this machine can have it send requests to loopback, and `GET levanta` changes
 * state. So nothing but the calls of scripts is answered, not even to pages of allowed origins, where somebody may
 * have put an image; and the browser must say that the script's page is ours or an allowed one. A program that is no
 * browser says nothing, and passes. The host is checked as well, since a page of another name that was made to resolve
 * to 127.0.0.1 would look like our own.
 */
export function refusalOf(headers: IncomingHttpHeaders, policy: OriginPolicy): string | undefined {
  if (!isCall(headers)) return NOT_A_CALL;

  const { host = '', origin } = headers;
  if (origin !== undefined && policy.allowOrigins.includes(origin)) return undefined;

  if (!isOwn(host, policy)) return `No se atienden peticiones para el servidor '${host}'`;

  if (origin !== undefined) {
    return hostOf(origin) === host ? undefined : `No se permiten peticiones desde '${origin}'`;
  }
  // Browsers send no Origin with a GET to the page's own, and none with what is no script's call.
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') {
    return 'No se permiten peticiones desde páginas de otro sitio';
  }
  return undefined;
}

/** Who listens everywhere cannot know all names that lead to it, and has a token that no other page knows. */
function isOwn(host: string, { allowOrigins, host: own }: OriginPolicy): boolean {
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
