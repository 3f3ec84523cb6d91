/** The test message of a session as it is typed, and how sending it ended. */
import type { ObservableMap } from '../observable.ts';
import { factsOf, isUnacceptable, messageOf } from '../server/http.ts';
import type { SessionRecord } from '../session/record.ts';
import type { Store } from '../store/store.ts';
import * as texts from '../texts/sentences.ts';
import type { Sentence, Translate } from '../texts/translate.ts';
import { time } from '../ui/time.ts';
import { STATES } from '../wire.ts';

/** Kept until the session leaves the list. */
export interface Draft {
  readonly text: string;
  readonly to: string;
  readonly sending: boolean;
  /** How the last sending ended, until something is typed. */
  readonly ending?: Ending | undefined;
}

export interface Ending {
  readonly accepted: boolean;
  readonly text: string;
  /** The server's id of the message, where it tells what becomes of it. */
  readonly id?: string | undefined;
  /** Whether the number in the field was refused. */
  readonly wrongNumber?: boolean | undefined;
}

export const EMPTY: Draft = { text: '', to: '', sending: false };

export const isUnsent = ({ text, to, ending }: Draft): boolean => text + to !== '' && !ending?.accepted;

/** Sends the draft of a session, which keeps what was typed, sent or not. */
export async function sendDraft(store: Store, drafts: ObservableMap<Draft>, numero: string): Promise<void> {
  const { text, to, sending } = drafts.get(numero);
  if (sending) return;
  const idBefore = store.get(numero)?.lastMessage?.id;
  drafts.update(numero, { sending: true, ending: undefined });
  const { error } = await store.send({ from: numero, text, to });
  const record = store.get(numero);
  // A session that has left the list has no draft.
  if (!record) return;
  // Before its time is told, which fails where the page has replaced the clock.
  drafts.update(numero, { sending: false });
  const id = record.lastMessage?.id;
  const accepted = store.t(texts.accepted, time(store.t, Date.now()));
  const ending: Ending = error
    ? { accepted: false, ...explainRefusal(store.t, error, to, record) }
    : { accepted: true, text: accepted, id: id === idBefore ? undefined : id };
  // The operator may have corrected it meanwhile.
  const wrongNumber = ending.wrongNumber && drafts.get(numero).to === to;
  drafts.update(numero, { ending: { ...ending, wrongNumber } });
}

/** Says why a test message was not accepted, what to do about it, and whether the number that it was to go to is wrong. */
export function explainRefusal(t: Translate, error: Error, to: string, record: SessionRecord | undefined) {
  const { kind, status, serverMessage } = factsOf(error);
  // A 422 means that the request is understood but impossible: because of the number, if the reason names it.
  const wrongNumber =
    kind === 'number' || (status === 422 && !!serverMessage?.includes(to.replace(/\D/g, '')));
  // Without an answer from the server itself, the outcome is unknown.
  const unanswered = status === 504 || kind === 'network' || kind === 'aborted';
  const outcome = kind === 'number' ? texts.unsent : unanswered ? texts.unconfirmed : texts.refused;
  const receiver = to.trim() && t(texts.to, to.trim());
  const text = t(outcome, receiver, messageOf(error), t(next()));
  return { text, wrongNumber };

  function next(): Sentence {
    if (wrongNumber) return texts.typeNumber;
    if (isUnacceptable(status)) return texts.correct;
    if (unanswered) return texts.look;
    if (status === 409 && record?.status.condition === 'restricted') return texts.waitFirst;
    return record?.session.state === STATES.connected ? texts.tryAgain : texts.startFirst;
  }
}
