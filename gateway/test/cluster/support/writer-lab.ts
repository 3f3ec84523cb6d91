import type { Logger } from 'pino';
import type { WireListItem } from '../../../../src/wire.ts';
import { Writer } from '../../../src/cluster/writer.ts';
import type { Membership } from '../../../src/ledger/session-rows.ts';

/** Publishes the states of the sessions that a process owns. */
interface States {
  /** Starts to publish a session: the row with this epoch, which has never changed. */
  take(numero: string, epoch: number): void;
  /** Stops publishing a session. */
  drop(numero: string): void;
  /** Stops publishing every session. */
  dropAll(): void;
  publish(session: WireListItem): void;
  /** Resolves once everything published so far is written or dropped. */
  written(): Promise<void>;
}

/** The one place that knows which class publishes states. */
export function startStates(
  membership: () => Membership | undefined,
  onLost: (numero: string) => void,
  log: Logger,
): States {
  const writer = new Writer(membership, onLost, () => {}, log);
  return {
    take: (numero, epoch) => writer.take(numero, { epoch: String(epoch), place: epoch, version: 0 }),
    drop: (numero) => writer.drop(numero),
    dropAll: () => writer.dropAll(),
    publish: (shown) => {
      const { numero, state } = shown;
      writer.publish({ numero, key: numero, shown }, { event: 'change_state', numero, state });
    },
    written: () => writer.written(),
  };
}
