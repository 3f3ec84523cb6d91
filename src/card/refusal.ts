import { messageOf, RequestError } from '../server/http.ts';
import * as texts from '../texts.ts';
import { STATES } from '../wire.ts';

/** The statuses of a request that would fail again as it is (RFC 9110 §15.5). */
const UNACCEPTABLE: readonly number[] = [400, 413, 422];

/** Why a test message was not accepted, and what to do about it. */
interface Refusal {
  readonly text: string;
  /** Whether the number that it was to go to is what is wrong. */
  readonly wrongNumber: boolean;
}

/** @param state - of the session that was to send it, as it is now */
export function explainRefusal(error: Error, to: string, state: string | undefined): Refusal {
  const { kind, status, serverMessage } = error instanceof RequestError ? error : {};
  // Servers answer 422 when they understood all and cannot do it: with a reason that names the number, it is the number.
  const wrongNumber =
    kind === 'number' || (status === 422 && !!serverMessage?.includes(to.replace(/\D/g, '')));
  // Without an answer, or with that of a proxy that got none, nobody knows.
  const unanswered = status === 504 || kind === 'network' || kind === 'aborted';
  const outcome = kind === 'number' ? 'unsent' : unanswered ? 'unanswered' : 'refused';
  const text = texts.notAccepted(outcome, to.trim(), messageOf(error), texts.next[next()]);
  return { text, wrongNumber };

  function next(): keyof typeof texts.next {
    if (wrongNumber) return 'number';
    if (status !== undefined && UNACCEPTABLE.includes(status)) return 'correct';
    if (unanswered) return 'look';
    return state === STATES.connected ? 'retry' : 'start';
  }
}
