import type { IncomingHttpHeaders } from 'node:http';

/** The headers of a request that a page made a browser send. */
interface Recorded {
  readonly browser: string;
  /** How the page did it. */
  readonly how: string;
  /** `page` stands for the origin of the page. */
  readonly origin?: 'page' | 'null';
  readonly site?: 'none' | 'cross-site';
  readonly mode?: string;
  readonly dest?: string;
  readonly purpose?: string;
}

/**
 * Requests that are no calls of scripts. Recorded from Chromium 156, Firefox 153 and WebKitGTK 2.50, with a gateway and
 * a page of another site on loopback. Those of other browsers that equal Chromium's are omitted.
 */
export const NO_CALLS: readonly Recorded[] = [
  ...[
    { how: 'a prefetch by a speculation rule', purpose: 'prefetch' },
    { how: 'a prerendering by a speculation rule', purpose: 'prefetch;prerender' },
    { how: 'an address that is typed, or opened by a mail program' },
  ].map(
    (more) => ({ browser: 'Chromium', site: 'none', mode: 'navigate', dest: 'document', ...more }) as const,
  ),
  // To complete the chain of a foreign server's certificate, which names the address (RFC 5280 §4.2.2.1).
  { browser: 'Chromium', how: 'the issuer of a certificate', site: 'none', mode: 'no-cors', dest: 'empty' },
  ...chromium('navigate', undefined, [
    ['a link', 'document'],
    ['a frame', 'iframe'],
    ['a frame of a frameset', 'frame'],
    ['an object', 'object'],
    ['an embed', 'embed'],
  ]),
  ...chromium('navigate', 'page', [
    ['a form, POST', 'document'],
    ['a form, POST, into a frame', 'iframe'],
    ['what a cache adds of a request that navigates', 'empty'],
  ]),
  ...chromium('navigate', 'null', [['a form, POST, through a redirect', 'document']]),
  ...chromium('no-cors', undefined, [
    ['an image', 'image'],
    ['a script', 'script'],
    ['a style sheet', 'style'],
    ['a video', 'video'],
    ['an audio', 'audio'],
    ['an object of an image', 'object'],
    ['a preloaded font', 'font'],
    ['an identity provider', 'webidentity'],
    ['a preload for a fetch', 'empty'],
    ['fetch, no-cors', 'empty'],
  ]),
  ...chromium('no-cors', 'page', [
    ['fetch, POST, no-cors', 'empty'],
    ['a beacon', 'empty'],
    ['the ping of a link', 'empty'],
    ['a report of a policy', 'report'],
  ]),
  ...chromium('no-cors', 'null', [['a beacon through a redirect', 'empty']]),
  ...chromium('cors', 'page', [
    ['an image, crossorigin', 'image'],
    ['a module script', 'script'],
    ['a module of JSON', 'json'],
    ['a module of a worker', 'worker'],
    ['a style sheet, crossorigin', 'style'],
    ['a font', 'font'],
    ['a video, crossorigin', 'video'],
    ['a track, crossorigin', 'track'],
    ['a manifest', 'manifest'],
    ['a worklet of audio', 'audioworklet'],
    ['a worklet of paint', 'paintworklet'],
    ['a web bundle', 'webbundle'],
    ['rules of speculation', 'speculationrules'],
  ]),
  ...chromium('cors', 'null', [['an image, crossorigin, of a sandboxed frame', 'image']]),
  {
    ...{ browser: 'Chromium', how: 'link rel=prefetch' },
    ...{ site: 'cross-site', mode: 'no-cors', dest: 'empty', purpose: 'prefetch' },
  },
  {
    ...{ browser: 'Chromium', how: 'link rel=prefetch crossorigin', origin: 'page' },
    ...{ site: 'cross-site', mode: 'cors', dest: 'empty', purpose: 'prefetch' },
  },
  {
    ...{ browser: 'Firefox', how: 'a transformation of XML', origin: 'page' },
    ...{ site: 'cross-site', mode: 'cors', dest: 'xslt' },
  },
];

/** Calls of scripts, recorded in the same way. */
export const CALLS: readonly Recorded[] = [
  ...chromium('cors', 'page', [['fetch, XMLHttpRequest, an event source or a preflight', 'empty']]),
  {
    ...{ browser: 'Chromium', how: 'fetch of a prerendered page', origin: 'page' },
    ...{ site: 'cross-site', mode: 'cors', dest: 'empty', purpose: 'prefetch;prerender' },
  },
  { browser: 'Chromium', how: 'a WebSocket', origin: 'page' },
  ...[
    { browser: 'Firefox', dest: 'empty' },
    { browser: 'WebKit', dest: 'websocket' },
  ].map(
    (more) =>
      ({ how: 'a WebSocket', origin: 'page', site: 'cross-site', mode: 'websocket', ...more }) as const,
  ),
];

/** Returns the headers of such a request from a page of that origin. */
export function headersOf(
  { origin, site, mode, dest, purpose }: Recorded,
  page: { readonly origin: string; readonly isOwn?: boolean },
): IncomingHttpHeaders {
  return {
    ...(origin && { origin: origin === 'page' ? page.origin : origin }),
    ...(site && { 'sec-fetch-site': page.isOwn && site !== 'none' ? 'same-origin' : site }),
    ...(mode && { 'sec-fetch-mode': mode }),
    ...(dest && { 'sec-fetch-dest': dest }),
    ...(purpose && { 'sec-purpose': purpose }),
  };
}

function chromium(
  mode: string,
  origin: Recorded['origin'],
  all: readonly (readonly [how: string, dest: string])[],
): Recorded[] {
  return all.map(([how, dest]) => ({ browser: 'Chromium', how, origin, site: 'cross-site', mode, dest }));
}
