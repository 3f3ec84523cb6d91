import type { Logger } from 'pino';
import type { WireListItem } from '../../../../src/wire.ts';
import { Publisher } from '../../../src/cluster/publisher.ts';
import type { Membership } from '../../../src/store/postgres/membership.ts';

/** Publishes the states of the sessions that a process carries. */
export interface States {
  /** Starts to publish a session: the row with this place, which has never changed. */
  take(numero: string, place: number): void;
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
  const publisher = new Publisher(membership, onLost, log);
  return {
    take: (numero, place) => publisher.take(numero, { place, version: 0 }),
    drop: (numero) => publisher.drop(numero),
    dropAll: () => publisher.dropAll(),
    publish: (session) => {
      const { numero, state } = session;
      publisher.publish({ event: 'change_state', numero, state }, session);
    },
    written: () => publisher.written(),
  };
}
