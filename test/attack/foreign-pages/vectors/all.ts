import { CALLS, SOCKETS } from './calls.ts';
import { EMBEDS } from './embeds.ts';
import { HEADERS, LINKS, SPECULATION } from './hints.ts';
import { NAVIGATIONS } from './navigations.ts';
import { REPORTS } from './reports.ts';
import type { Vectors } from './vector.ts';

/** All vectors, by kind. */
export const KINDS: readonly Vectors[] = [
  SPECULATION,
  LINKS,
  HEADERS,
  NAVIGATIONS,
  EMBEDS,
  CALLS,
  SOCKETS,
  REPORTS,
];
