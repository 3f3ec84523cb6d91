import type { ObservableMap } from '../observable.ts';
import type { Store } from '../store/store.ts';
import * as texts from '../texts.ts';
import { time } from '../ui/time.ts';
import { explainRefusal } from './refusal.ts';

/** The test message of a session as it is typed, until the session leaves the list. */
export interface Draft {
  readonly text: string;
  /** The number that it is to go to. */
  readonly to: string;
  readonly sending: boolean;
  /** How the last sending ended, until something is typed. */
  readonly ending?: Ending | undefined;
}

interface Ending {
  readonly accepted: boolean;
  readonly text: string;
  /** The server's id of the message, where it tells what becomes of it. */
  readonly id?: string | undefined;
  /** Whether the number in the field was refused. */
  readonly wrongNumber?: boolean;
}

export const EMPTY: Draft = { text: '', to: '', sending: false };

/** Whether something would be lost with the draft. */
export function isUsed({ text, to, sending, ending }: Draft): boolean {
  return text !== '' || to !== '' || sending || ending !== undefined;
}

/** Sends the draft of a session, which keeps what was typed, sent or not. */
export async function sendDraft(store: Store, drafts: ObservableMap<Draft>, numero: string): Promise<void> {
  const { text, to, sending } = drafts.get(numero);
  if (sending) return;
  const idBefore = store.get(numero)?.lastMessage?.id;
  drafts.update(numero, { sending: true, ending: undefined });
  let ending: Ending | undefined;
  try {
    const { error } = await store.send({ from: numero, text, to });
    const { session, lastMessage } = store.get(numero) ?? {};
    const { id } = lastMessage ?? {};
    if (error) {
      const { text: why, wrongNumber } = explainRefusal(error, to, session?.state);
      ending = { accepted: false, text: why, wrongNumber: wrongNumber && drafts.get(numero).to === to };
    } else {
      const accepted = texts.accepted(time(Date.now()));
      ending = { accepted: true, text: accepted, id: id === idBefore ? undefined : id };
    }
  } catch (error) {
    console.error('whatsapp-operadores:', error);
  }
  // One that has left the list has no draft.
  if (store.get(numero)) drafts.update(numero, { sending: false, ending });
}
