import { keepIfEqual } from '../keep-if-equal.ts';
import { Observable } from '../observable.ts';
import type { Entry } from '../session/history.ts';
import type { Extension } from '../wire.ts';

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
