import type { Delivery } from '../engine.ts';
import { StoreError } from '../errors.ts';
import type { Connection } from './connection.ts';
import { aborted, nextTurn } from './waits.ts';

/**
 * Sends one text and tells how it went, at the latest when `deadline` aborts. WhatsApp takes messages for
 * numbers that nobody has without a word, so the number is asked for first; and a message counts as sent when
 * WhatsApp has confirmed it, which the library does not wait for.
 */
export function deliver(
  connection: Connection,
  to: string,
  text: string,
  deadline: AbortSignal,
): Promise<Delivery> {
  let handedOver = false;
  const given = (): Delivery => {
    if (handedOver) return 'unconfirmed';
    return connection.isOpen ? 'no-answer' : 'not-connected';
  };

  async function send(): Promise<Delivery> {
    const account = await connection.accountOf(to);
    if (account === undefined || deadline.aborted) return given();
    if (account === null) return 'no-whatsapp';
    handedOver = true;
    const { answer } = await connection.sendText(account, text).catch((error: unknown) => {
      // Whatever it asked WhatsApp before the message itself has failed, so that never left.
      handedOver = false;
      throw error;
    });
    return (await answer) === 'taken' ? 'sent' : 'refused';
  }

  return Promise.race([
    send().catch((error: unknown) => {
      if (error instanceof StoreError) return error.isFull ? 'disk-full' : 'disk-failed';
      return connection.isOpen && isRefusal(error) ? 'refused' : given();
    }),
    // What was under way when the line went has a verdict of its own in the same turn; that one is better.
    connection.gone.then(nextTurn).then(given),
    aborted(deadline).then(given),
  ]);
}

/** WhatsApp answered with an error, whose number the library hangs on its own; a timeout has none. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'data' in error && typeof error.data === 'number';
}
