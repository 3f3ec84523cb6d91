import type { Resource, Site } from '../site.ts';

/** What a foreign page is aimed at, and what it has at hand. */
export interface Aim {
  /** Starts a session, by GET. */
  readonly start: string;
  /** Deletes it, by DELETE. */
  readonly session: string;
  /** Cuts the line of its phone, by POST. */
  readonly cut: string;
  readonly message: string;
  readonly list: string;
  /** Where Socket.IO answers; without its transport. */
  readonly socket: string;
  /** The site of the page. */
  readonly here: Site;
  /** Another foreign site. */
  readonly third: Site;
  /** A site whose pages may use the gateway. */
  readonly allowed: Site;
}

/** The ways of a site to lead elsewhere. */
export const REDIRECTS = [301, 302, 303, 307, 308];

/** One way in which a page can have a browser send a request; gives the page. */
export type Vector = (aim: Aim) => Resource;

/** By a name that says how. */
export type Vectors = Readonly<Record<string, Vector>>;

/** A page with this in it. An element with the id `click` is hovered over and clicked. */
export function page(body: string, headers?: Resource['headers']): Resource {
  return { type: 'text/html', body: `<!doctype html><meta charset="utf-8">${body}`, headers };
}

/** A page that runs this. */
export function script(code: string, headers?: Resource['headers']): Resource {
  return page(`<script type="module">${code}</script>`, headers);
}
