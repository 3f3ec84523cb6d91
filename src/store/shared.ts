import type { Observable } from '../observable.ts';
import type { Server } from '../server/server.ts';
import type { SessionMap } from '../session/session-map.ts';
import type { Calls } from './calls.ts';
import type { Reporter } from './reporter.ts';
import type { Snapshot } from './snapshot.ts';

/** What the parts of one store share. */
export interface Shared {
  readonly server: Server;
  readonly calls: Calls;
  readonly sessions: SessionMap;
  readonly snapshot: Observable<Snapshot>;
  readonly reporter: Reporter;
}
