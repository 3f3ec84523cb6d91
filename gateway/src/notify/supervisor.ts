import { STATES, type WireListItem } from '../../../src/wire.ts';
import { sameNumero } from '../numbers.ts';
import { SendFailure } from '../sessions/errors.ts';
import type { Registry } from '../sessions/registry.ts';
import { type Messenger, Undelivered } from './messenger.ts';
import type { Notification } from './notification.ts';
import { textOf } from './text.ts';

/** Shortest time between two messages, in milliseconds: WhatsApp restricts numbers that write too often. */
const INTERVAL = 15 * 60_000;

/** Sends notifications to a supervisor by WhatsApp, from one of this gateway's own sessions. */
export class Supervisor implements Messenger {
  readonly name = 'whatsapp';
  readonly interval = INTERVAL;
  readonly isRepeatable = false;
  readonly #numero: string;
  /** The session that could not send last time: another one may. */
  #failed: string | undefined;
  readonly #sessions: Pick<Registry, 'own' | 'send'>;

  /** @param numero the supervisor's, with its country code */
  constructor(numero: string, sessions: Pick<Registry, 'own' | 'send'>) {
    this.#numero = numero;
    this.#sessions = sessions;
  }

  isReady(): boolean {
    return this.#sender() !== undefined;
  }

  async deliver(notification: Notification): Promise<void> {
    const sender = this.#sender();
    if (!sender) throw new Undelivered('NO_SENDER');
    try {
      await this.#sessions.send(sender.numero, [Number(this.#numero)], textOf(notification, Date.now()));
    } catch (error) {
      if (!(error instanceof SendFailure)) throw error;
      const [failed] = error.failed;
      // It may arrive: nothing is told twice.
      if (!failed || failed.reason === 'unconfirmed') return;
      this.#failed = sender.numero;
      throw new Undelivered(failed.reason);
    }
  }

  /** Returns the session that has been connected for longest, and that may write to anybody. */
  #sender(): WireListItem | undefined {
    return this.#sessions.own
      .filter(
        ({ numero, state, restricted, quota }) =>
          state === STATES.connected &&
          !restricted &&
          !(quota && quota.used >= quota.total) &&
          !sameNumero(numero, this.#numero),
      )
      .sort((one, other) => this.#rank(one) - this.#rank(other))[0];
  }

  #rank({ numero, since = 0 }: WireListItem): number {
    return numero === this.#failed ? Number.POSITIVE_INFINITY : since;
  }
}
