import type { IncomingHttpHeaders } from 'node:http';
import { inUrl, isEverywhere } from './addresses.ts';

/** Which pages may use the gateway. */
export interface OriginPolicy {
  /** Allowed origins, besides the gateway's own. */
  readonly allowOrigins: readonly string[];
  /** The host that the gateway listens on. */
  readonly host: string;
}

const NOT_A_CALL = 'Esta dirección es para programas: no se puede abrir ni insertar en una página.';

/** Host names that every machine uses for itself. */
const LOCAL_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Returns why a request must be refused, as a sentence for the screen; undefined if it may pass.
 *
 * Any page in a browser on this machine can send requests to loopback, and `GET levanta` changes state. So only calls
 * from scripts are answered: not even pages of allowed origins may embed a URL, since somebody may have put an image
 * there. The browser must also report that the script's page is ours or allowed. Programs send no such headers, and
 * pass. The host is checked too, since a page whose name resolves to 127.0.0.1 would look like our own.
 */
export function refusalOf(headers: IncomingHttpHeaders, policy: OriginPolicy): string | undefined {
  if (!isCall(headers)) return NOT_A_CALL;

  const { host = '', origin } = headers;
  if (origin !== undefined && policy.allowOrigins.includes(origin)) return undefined;

  if (!isOwn(host, policy)) {
    return `No se atienden solicitudes para el servidor '${host}': su origen no está en --allow-origin.`;
  }

  if (origin !== undefined) {
    if (hostOf(origin) === host) return undefined;
    return `No se permiten solicitudes desde '${origin}': no está en --allow-origin.`;
  }
  // Browsers omit Origin for a GET to the page's own origin, and for requests that do not come from scripts.
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') {
    return 'No se permiten solicitudes desde páginas de otro sitio.';
  }
  return undefined;
}

/** A gateway that listens everywhere cannot know all its names, and has a token that other pages do not know. */
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

/** `Sec-Fetch-Mode` of `fetch`, XMLHttpRequest and WebSocket, for which CORS restricts other sites. */
const MODES = ['cors', 'same-origin', 'websocket'];
/** `Sec-Fetch-Dest` of the same. For a WebSocket, Firefox sends `empty`, WebKit `websocket`, and Chromium nothing. */
const DESTINATIONS = ['empty', 'websocket'];
/** Older headers that mark a prefetch. */
const PREFETCHES = ['purpose', 'x-purpose', 'x-moz'];

/**
 * Whether a request comes from a script or a program, as far as its headers tell: not a navigation, a prefetch, or a
 * part of a page such as an image.
 *
 * Browsers send this metadata only to https and loopback URLs. Programs send none, or some, as Node's `fetch` does; so
 * a missing header is no reason to refuse.
 */
function isCall(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, 'sec-purpose': purpose } = headers;
  if (mode !== undefined && !MODES.includes(mode)) return false;
  if (destination !== undefined && !DESTINATIONS.includes(destination)) return false;
  // A panel has to work in a prerendered page too.
  if (purpose !== undefined && purpose !== 'prefetch;prerender') return false;
  return PREFETCHES.every((name) => headers[name] === undefined);
}
