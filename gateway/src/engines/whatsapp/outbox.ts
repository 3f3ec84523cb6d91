import { setTimeout as wait } from 'node:timers/promises';
import { StoreError, storeFailure } from '../../ledger/store-error.ts';
import type { Ack, Delivery } from '../../sessions/engine.ts';
import { AckedMessage, type Acks } from '../acks.ts';
import type { Connection } from './connection.ts';
import { NOT_ALLOWED, type Signs } from './signs.ts';
import type { Timings } from './timings.ts';
import { nextTurn, whileOpen } from './waits.ts';

type SendingConnection = Pick<
  Connection,
  'isOpen' | 'gone' | 'accountOf' | 'knows' | 'sendText' | 'askLimit'
>;

type Limits = Pick<Signs, 'isLimited'>;

/** Sends the messages of one session one after the other, with a pause between them. */
export class Outbox {
  readonly #timings: Timings;
  readonly #open: () => SendingConnection | undefined;
  readonly #acks: Acks;
  readonly #limits: Limits;
  #free: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  /** Whether WhatsApp answered the last message that was sent. */
  #answered = true;

  /** @param open returns the open connection, if there is one */
  constructor(timings: Timings, open: () => SendingConnection | undefined, acks: Acks, limits: Limits) {
    this.#timings = timings;
    this.#open = open;
    this.#acks = acks;
    this.#limits = limits;
  }

  /**
   * Sends a text when its turn comes. Returns the outcome within `timings.send`.
   *
   * @param acked called after the outcome of a message that was sent, at each new status
   */
  async send(to: string, text: string, acked: (ack: Ack) => void): Promise<Delivery> {
    const message = new AckedMessage(acked);
    const delivery = await this.#send(to, text, (id) => this.#acks.follow(id, message));
    if (delivery === 'sent' || delivery === 'unconfirmed') void nextTurn().then(() => message.tell());
    return delivery;
  }

  async #send(to: string, text: string, follow: (id: string) => void): Promise<Delivery> {
    const { send, pause } = this.#timings;
    // Its turn would come too late, and it would delay the messages behind it.
    if (this.#waiting * pause >= send) return 'too-many';
    const deadline = AbortSignal.timeout(send);
    this.#waiting += 1;
    const turn = this.#free.then(() => {
      this.#waiting -= 1;
      return deadline.aborted ? undefined : this.#open();
    });
    const sent = turn.then((connection) => {
      if (connection) return this.#deliver(connection, { to, text, follow }, deadline);
      return deadline.aborted ? this.#late() : 'not-connected';
    });
    // The pause is needed only after something was sent to WhatsApp.
    this.#free = Promise.all([turn, sent]).then(
      ([connection]) => connection && wait(pause, undefined, { ref: false }),
    );
    const late = new Promise<Delivery>((resolve) => {
      deadline.addEventListener('abort', () => setImmediate(() => resolve(this.#late())), { once: true });
    });
    return Promise.race([sent, late]);
  }

  /** Returns why a message did not get its turn in time. */
  #late(): Delivery {
    return this.#answered ? 'too-many' : 'no-answer';
  }

  async #deliver(
    connection: SendingConnection,
    message: OutgoingText,
    deadline: AbortSignal,
  ): Promise<Delivery> {
    const delivery = await deliver(connection, message, this.#limits, deadline);
    this.#answered = delivery !== 'no-answer' && delivery !== 'unconfirmed';
    return delivery;
  }
}

interface OutgoingText {
  readonly to: string;
  readonly text: string;
  /** Called with the message's id right before it is sent. */
  readonly follow: (id: string) => void;
}

/**
 * Sends one text and returns the outcome, at the latest when `deadline` aborts. WhatsApp silently accepts messages to
 * numbers without an account, so the number is looked up first. A message counts as sent once WhatsApp has confirmed
 * it, which the library does not wait for. While the account is restricted, nothing is sent to contacts that have never
 * written: each attempt may prolong the restriction.
 */
function deliver(
  connection: SendingConnection,
  { to, text, follow }: OutgoingText,
  limits: Limits,
  deadline: AbortSignal,
): Promise<Delivery> {
  let isSent = false;
  let refusal: string | undefined;
  const refused = (code: string): Delivery =>
    code === NOT_ALLOWED && limits.isLimited ? 'restricted' : 'refused';
  const unanswered = (): Delivery => {
    if (refusal !== undefined) return refused(refusal);
    if (isSent) return 'unconfirmed';
    return connection.isOpen ? 'no-answer' : 'not-connected';
  };

  async function send(): Promise<Delivery> {
    const account = await connection.accountOf(to);
    if (account === undefined || deadline.aborted) return unanswered();
    if (account === null) return 'no-whatsapp';
    if (limits.isLimited && !(await connection.knows(account))) return 'restricted';
    if (deadline.aborted) return unanswered();
    isSent = true;
    const { answer } = await connection.sendText(account, text, follow).catch((error: unknown) => {
      // A query before the message itself failed, so the message was not sent.
      isSent = false;
      throw error;
    });
    refusal = (await answer).error;
    if (refusal === undefined) return 'sent';
    if (refusal === NOT_ALLOWED) await connection.askLimit();
    return refused(refusal);
  }

  const sent = send().catch((error: unknown) => {
    if (error instanceof StoreError) return storeFailure(error);
    return connection.isOpen && isRefusal(error) ? 'refused' : unanswered();
  });
  return whileOpen(connection, deadline, sent, { gone: unanswered, late: unanswered });
}

/** Whether WhatsApp answered with an error: then the library's error has its number; a timeout has none. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'data' in error && typeof error.data === 'number';
}
