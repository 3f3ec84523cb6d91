import type { IncomingHttpHeaders } from 'node:http';

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
export function isCall(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, 'sec-purpose': purpose } = headers;
  if (mode !== undefined && !MODES.includes(mode)) return false;
  if (destination !== undefined && !DESTINATIONS.includes(destination)) return false;
  // A panel has to work in a prerendered page too.
  if (purpose !== undefined && purpose !== 'prefetch;prerender') return false;
  return PREFETCHES.every((name) => headers[name] === undefined);
}
