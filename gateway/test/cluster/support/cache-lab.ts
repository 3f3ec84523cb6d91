import { pino } from 'pino';
import type { WireListItem } from '../../../../src/wire.ts';
import { SessionCache } from '../../../src/cluster/session-cache.ts';
import type { Sql } from '../../../src/ledger/database.ts';
import type { Push } from '../../../src/sessions/transitions.ts';

/** What a gateway lists of the sessions of all gateways. */
interface Lists {
  list(): WireListItem[];
  /** Hears of a change of a row. */
  hearChange(session: WireListItem, row: { place: number; version: number }): void;
  /** Hears that a row was added or removed. */
  hearRow(numero: string): void;
  /** Listens again after it received nothing. */
  listenAgain(): void;
  /** Resolves when everything that it has to read is read. */
  settled(): Promise<void>;
}

/** The one place that knows which class lists the table. */
export function startLists(sql: Sql, onPush: (push: Push) => void): Lists {
  const cache = new SessionCache(() => sql, onPush, pino({ enabled: false }));
  cache.reach(new Set());
  return {
    list: () => cache.list(),
    hearChange: (session, row) => {
      const { numero, state } = session;
      const pushes = [{ event: 'change_state' as const, numero, state }];
      cache.apply({ type: 'change', session, ...row, owner: 'node', pushes });
    },
    hearRow: (numero) => cache.rows.read(numero),
    listenAgain: () => void cache.rows.readAnew(),
    settled: () => cache.rows.settled(),
  };
}
