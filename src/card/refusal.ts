import { RequestError } from '../server/http.ts';
import { texts } from '../texts.ts';
import { STATES } from '../wire.ts';

/** The statuses of a request that would fail again as it is (RFC 9110 §15.5): bad, too large, without sense. */
const UNACCEPTABLE: readonly number[] = [400, 413, 422];

/** Why a test message was not accepted, and what to do about it. */
export interface Refusal {
  readonly text: string;
  /** Whether the number that it was to go to is what is wrong. */
  readonly wrongNumber: boolean;
}

/** @param state of the session that was to send it, as it is now. */
export function explainRefusal(error: Error, to: string, state: string | undefined): Refusal {
  const status = error instanceof RequestError && error.status;
  const reason = reasonOf(error);
  // 422 is what servers answer that understood it all, and can do nothing with what it says.
  const wrongNumber =
    reason === texts.invalidNumber || (status === 422 && reason.includes(to.replace(/\D/g, '')));
  // Without an answer, or with that of a proxy that got none, nobody knows.
  const unknown = status === 504 || reason === texts.networkError || reason === texts.aborted;
  return { text: texts.notAccepted(to.trim(), reason, texts.next[next()]), wrongNumber };

  function next(): keyof typeof texts.next {
    if (wrongNumber) return 'number';
    // What the server says of the message itself holds, however often it is sent.
    if (status && UNACCEPTABLE.includes(status)) return 'correct';
    if (unknown) return 'look';
    return state === STATES.connected ? 'retry' : 'start';
  }
}

/** The server's own words where it has some, else the message; without a full stop, since a sentence goes on. */
export function reasonOf(error: Error): string {
  const catalogue = error instanceof RequestError && error.status ? texts.status(error.status, '') : '';
  return error.message.replace(catalogue, '').replace(/\.$/, '');
}
