import {
  MESSAGE_ACK,
  SERVER_EXTENSIONS,
  SESSION_CREATED,
  SESSION_DELETED,
  type WireListItem,
  type WireSession,
} from '../../../src/wire.ts';
import { detailsOf } from '../../src/sessions/details.ts';

/** Returns items of the list without the fields of the contract's extensions. */
export function plain(items: readonly WireListItem[]): WireSession[] {
  // What neither the spec nor an extension knows stays, and is found.
  return items.map((item) => {
    const details = new Set(Object.keys(detailsOf(item)));
    const { numero, state, waiting, ...rest } = item;
    const others = Object.entries(rest).filter(([name, value]) => value !== undefined && !details.has(name));
    return { numero, state, waiting, ...Object.fromEntries(others) };
  });
}

/** Whether a push is none of the contract's extensions, by its name on the wire. */
export function isPlain(name: string): boolean {
  return !EXTENSION_PUSHES.some((beginning) => name.startsWith(beginning));
}

const EXTENSION_PUSHES = [
  SERVER_EXTENSIONS,
  SESSION_CREATED,
  SESSION_DELETED,
  'session:details:',
  'session:code:',
  MESSAGE_ACK,
];
