import type { Resource, Site } from '../site.ts';

/** The targets of a foreign page, and its means. */
export interface Aim {
  /** Starts a session, by GET. */
  readonly start: string;
  /** Deletes it, by DELETE. */
  readonly session: string;
  /** Takes its phone offline, by POST. */
  readonly cut: string;
  readonly message: string;
  readonly list: string;
  /** URL of Socket.IO, without its transport. */
  readonly socket: string;
  /** The site of the page. */
  readonly here: Site;
  /** Another foreign site. */
  readonly third: Site;
  /** A site whose pages may use the gateway. */
  readonly allowed: Site;
}

/** Ways of a site to redirect. */
export const REDIRECTS = [301, 302, 303, 307, 308];

/** One way in which a page makes a browser send a request; returns the page. */
export type Vector = (aim: Aim) => Resource;

/** By a name that says how. */
export type Vectors = Readonly<Record<string, Vector>>;

/** Returns a page with this markup. An element with the id `click` is hovered over and clicked. */
export function page(body: string, headers?: Resource['headers']): Resource {
  return { type: 'text/html', body: `<!doctype html><meta charset="utf-8">${body}`, headers };
}

/** Returns a page that runs this script. */
export function script(code: string, headers?: Resource['headers']): Resource {
  return page(`<script type="module">${code}</script>`, headers);
}
