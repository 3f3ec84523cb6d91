import { pino } from 'pino';
import type { WireListItem } from '../../../../src/wire.ts';
import { Mirror } from '../../../src/cluster/mirror.ts';
import type { RowVersion } from '../../../src/cluster/rows.ts';
import type { Push } from '../../../src/sessions/transitions.ts';
import type { Sql } from '../../../src/store/postgres/database.ts';

/** What a gateway lists of the sessions of all gateways. */
export interface Lists {
  list(): WireListItem[];
  /** Hears of a change of a row. */
  hearChange(session: WireListItem, row: RowVersion): void;
  /** Hears that a row was added or removed. */
  hearRow(numero: string): void;
  /** Listens again after it was deaf. */
  listenAgain(): void;
}

/** The one place that knows which class mirrors the table. */
export function startLists(sql: Sql, onPush: (push: Push) => void): Lists {
  const mirror = new Mirror(() => sql, onPush, pino({ enabled: false }));
  mirror.serve(true);
  return {
    list: () => mirror.list(),
    hearChange: (session, row) => {
      const { numero, state } = session;
      const pushes = [{ event: 'change_state' as const, numero, state }];
      mirror.apply({ type: 'change', session, ...row, pushes });
    },
    hearRow: (numero) => mirror.read(numero),
    listenAgain: () => void mirror.readAnew(),
  };
}
