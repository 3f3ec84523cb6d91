import type { Delivery } from '../engine.ts';
import { StoreError } from '../errors.ts';
import type { Connection } from './connection.ts';
import { aborted, nextTurn } from './waits.ts';

/**
 * Sends one text and returns the outcome, at the latest when `deadline` aborts. WhatsApp silently accepts messages to
 * numbers without an account, so the number is looked up first. A message counts as sent once WhatsApp has confirmed
 * it, which the library does not wait for.
 */
export function deliver(
  connection: Connection,
  to: string,
  text: string,
  deadline: AbortSignal,
): Promise<Delivery> {
  let isSent = false;
  const unanswered = (): Delivery => {
    if (isSent) return 'unconfirmed';
    return connection.isOpen ? 'no-answer' : 'not-connected';
  };

  async function send(): Promise<Delivery> {
    const account = await connection.accountOf(to);
    if (account === undefined || deadline.aborted) return unanswered();
    if (account === null) return 'no-whatsapp';
    isSent = true;
    const { answer } = await connection.sendText(account, text).catch((error: unknown) => {
      // A query before the message itself failed, so the message was not sent.
      isSent = false;
      throw error;
    });
    return (await answer) === 'taken' ? 'sent' : 'refused';
  }

  return Promise.race([
    send().catch((error: unknown) => {
      if (error instanceof StoreError) return error.isFull ? 'disk-full' : 'disk-failed';
      return connection.isOpen && isRefusal(error) ? 'refused' : unanswered();
    }),
    // A query that fails because the connection ended settles in the same turn, with a more precise outcome.
    connection.gone.then(nextTurn).then(unanswered),
    aborted(deadline).then(unanswered),
  ]);
}

/** Whether WhatsApp answered with an error: then the library's error has its number; a timeout has none. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'data' in error && typeof error.data === 'number';
}
