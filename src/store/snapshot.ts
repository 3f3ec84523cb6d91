import { keepIfEqual, Observable } from '../observable.ts';
import type { Server } from '../server/server.ts';
import type { Entry } from '../session/history.ts';
import type { SessionMap } from '../session/session-map.ts';
import type { Extension } from '../wire.ts';
import type { Calls } from './calls.ts';
import type { Reporter } from './reporter.ts';

/** What the panel as a whole shows. The sessions themselves are read one by one. */
export interface Snapshot {
  /** The sessions, in the server's order. The same array until one comes or goes. */
  readonly numeros: readonly string[];
  /** `loading` while the overlay is up; `failed` while there is no list to show. */
  readonly list: 'loading' | 'ready' | 'failed';
  /** Why the list could last not be loaded. */
  readonly listError?: string;
  /** Whether pushes arrive; undefined until the first attempt to connect has ended. */
  readonly connected: boolean | undefined;
  /** What happened to the live connection, the oldest first. */
  readonly connectionHistory: readonly Entry[];
  /** The number that the server last accepted a test message for. */
  readonly destination?: string;
  /** What the server can do beside the contract, as it announced since the last connection. */
  readonly extensions: ReadonlySet<Extension>;
  /** Whether the host page keeps the names: then they are not edited here. */
  readonly namedByHost: boolean;
}

export const createSnapshot = () =>
  new Observable<Snapshot>({
    numeros: [],
    list: 'loading',
    connected: undefined,
    connectionHistory: [],
    extensions: new Set(),
    namedByHost: false,
  });

export function update(snapshot: Observable<Snapshot>, change: Partial<Snapshot>): void {
  const before = snapshot.get();
  snapshot.set(keepIfEqual(before, { ...before, ...change }));
}

/** What the parts of one store share. */
export interface Shared {
  readonly server: Server;
  readonly calls: Calls;
  readonly sessions: SessionMap;
  readonly snapshot: Observable<Snapshot>;
  readonly reporter: Reporter;
}

/** Milliseconds after a connection until what was announced on the one before is forgotten. */
const ANNOUNCED_WITHIN_MS = 2_000;

/** Milliseconds between two changes of what the screen follows: each may change every session. */
const ANNOUNCED_FOR_MS = 250;

export type Announced = ReturnType<typeof createAnnounced>;

/**
 * What the server can do beside the contract, as it has announced since the last connection.
 *
 * @param show - takes what the screen is to follow, a few times a second at most, and only when it changes
 */
export function createAnnounced(show: (extensions: ReadonlySet<Extension>) => void) {
  let announced: ReadonlySet<Extension> = new Set();
  let shown = '';
  let following: ReturnType<typeof setTimeout> | undefined;
  let forgetting: ReturnType<typeof setTimeout> | undefined;

  function set(extensions: ReadonlySet<Extension>): void {
    clearTimeout(forgetting);
    announced = extensions;
    if (following === undefined) follow();
  }

  function follow(): void {
    const before = shown;
    shown = [...announced].join();
    following = shown === before ? undefined : setTimeout(follow, ANNOUNCED_FOR_MS);
    if (following) show(announced);
  }

  return {
    has: (extension: Extension) => announced.has(extension),
    set,
    /** The announcement follows the connection: what it says again must not leave the screen meanwhile. */
    connection(connected: boolean): void {
      clearTimeout(forgetting);
      if (connected) forgetting = setTimeout(set, ANNOUNCED_WITHIN_MS, new Set());
    },
    stop(): void {
      clearTimeout(forgetting);
      clearTimeout(following);
    },
  };
}
