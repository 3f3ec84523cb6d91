import type { WireListItem } from '../../../src/wire.ts';
import { sameNumero } from '../numbers.ts';
import { SendFailure } from '../sessions/errors.ts';
import type { Registry } from '../sessions/registry.ts';
import { canSend } from '../sessions/selection.ts';
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
  /** The sessions that could not send, the last one at the end: others may. */
  #failed: readonly string[] = [];
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
      this.#failed = [...this.#failed.filter((numero) => numero !== sender.numero), sender.numero];
      if (!(error instanceof SendFailure)) throw error;
      const [failed] = error.failed;
      // It may arrive: nothing is told twice.
      if (!failed || failed.reason === 'unconfirmed') return;
      throw new Undelivered(failed.reason);
    }
  }

  /** Returns the session that has been connected for longest, and that may write to anybody. */
  #sender(): WireListItem | undefined {
    return this.#sessions.own
      .filter(canSend)
      .filter(
        ({ numero, restricted, quota }) =>
          !restricted && !(quota && quota.used >= quota.total) && !sameNumero(numero, this.#numero),
      )
      .sort(
        (one, other) => this.#failure(one) - this.#failure(other) || (one.since ?? 0) - (other.since ?? 0),
      )[0];
  }

  /** Returns the place of a session among those that could not send; -1 if it is none of them. */
  #failure({ numero }: WireListItem): number {
    return this.#failed.indexOf(numero);
  }
}
