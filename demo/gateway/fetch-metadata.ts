import type { IncomingHttpHeaders } from 'node:http';

/** `Sec-Fetch-Mode` of `fetch`, XMLHttpRequest and WebSocket, which pages of other sites need leave for. */
const MODES = ['cors', 'same-origin', 'websocket'];
/** `Sec-Fetch-Dest` of the same. For a WebSocket, Firefox says `empty`, WebKit `websocket`, and Chromium nothing. */
const DESTINATIONS = ['empty', 'websocket'];
/** Older ways to say that nobody has asked for the answer yet. */
const PREFETCHES = ['purpose', 'x-purpose', 'x-moz'];

/**
 * Whether the request is made by a script or by a program, as far as its headers tell: no navigation, no prefetch, no
 * part of a page such as an image.
 *
 * Browsers say what each request is for, but only to URLs that nobody can listen to on the way: https and loopback.
 * Programs say nothing, or a part of it as Node's `fetch` does, so what is missing is no reason to refuse.
 */
export function isCall(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, 'sec-purpose': purpose } = headers;
  if (mode !== undefined && !MODES.includes(mode)) return false;
  if (destination !== undefined && !DESTINATIONS.includes(destination)) return false;
  // In a page that is rendered beforehand, a panel is to work like everything else.
  if (purpose !== undefined && purpose !== 'prefetch;prerender') return false;
  return PREFETCHES.every((name) => headers[name] === undefined);
}
