import { numeroKey } from '../../numbers.ts';
import { LONGEST_NAME } from './limits.ts';
import { numeroOf } from './numero.ts';
import type { ListedSession } from './server.ts';

/** A session of the server, and the numero under which it is listed here. */
interface Listed {
  readonly numero: string;
  readonly session: ListedSession;
}

/** Why a session of the server is not listed here. */
export type Omission =
  /** Its number is unknown. */
  | 'nameless'
  /** One of our own phones has the numero. */
  | 'held'
  /** Somebody removed it from the list. */
  | 'unlisted'
  /** Another session on the server has the same numero. */
  | 'twin'
  /** Its name cannot be part of an URL's path. */
  | 'unnameable';

interface Listing {
  /** By the numero's key. */
  readonly listed: ReadonlyMap<string, Listed>;
  /** By the name of the session. */
  readonly omitted: ReadonlyMap<string, Omission>;
}

/** What is known about numeros. */
export interface Numeros {
  /** Keys of those that our own phones have. */
  readonly held: ReadonlySet<string>;
  /** Those that are stored here, by their keys; somebody removed the `leaving` ones from the list. */
  readonly stored?: ReadonlyMap<string, { readonly leaving: boolean }>;
  /**
   * The sessions that are listed here, by their names. While a phone is being linked to one, it belongs to its numero,
   * whichever phone that is.
   */
  readonly known?: ReadonlyMap<string, { readonly numero: string; readonly isLinking: boolean }>;
}

/** Decides which sessions of a server are listed here. */
export function listingOf(
  sessions: readonly ListedSession[],
  { held, stored = new Map(), known = new Map() }: Numeros,
): Listing {
  const listed = new Map<string, Listed>();
  const omitted = new Map<string, Omission>();
  for (const session of sessions) {
    const { name } = session;
    const before = known.get(name);
    const numero = before?.isLinking ? before.numero : numeroOf(session, before?.numero);
    const key = numeroKey(numero ?? '');
    const twin = listed.get(key);
    if (!isNameable(name)) omitted.set(name, 'unnameable');
    else if (numero === undefined) omitted.set(name, 'nameless');
    else if (held.has(key)) omitted.set(name, 'held');
    else if (stored.get(key)?.leaving) omitted.set(name, 'unlisted');
    else if (twin && !wins(session, twin.session, key)) omitted.set(name, 'twin');
    else {
      if (twin) omitted.set(twin.session.name, 'twin');
      listed.set(key, { numero, session });
    }
  }
  return { listed, omitted };

  /** Whether a session has precedence over another of its numero: the listed one, else a connected one. */
  function wins(session: ListedSession, twin: ListedSession, key: string): boolean {
    const was = ({ name }: ListedSession) => {
      const before = known.get(name);
      return before !== undefined && numeroKey(before.numero) === key;
    };
    if (was(session) || was(twin)) return was(session);
    return session.status === 'connected' && twin.status !== 'connected';
  }
}

function isNameable(name: string): boolean {
  return name.length <= LONGEST_NAME && name.isWellFormed() && !['', '.', '..'].includes(name);
}
