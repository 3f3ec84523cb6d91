/** The dialog that is open, and what those who open it pass. */
import type { SentLink } from '../server/parse.ts';
import type { Store } from '../store/store.ts';
import * as texts from '../texts.ts';
import { STATES } from '../wire.ts';

export type OpenDialog =
  | { readonly kind: 'add' | 'shortcuts' }
  | { readonly kind: 'code' | 'history'; readonly numero: string }
  | { readonly kind: 'link'; readonly numero: string; readonly created: CreatedLink | undefined }
  | ({ readonly kind: 'question' } & Question);

/** What a confirmation asks. */
export interface Question {
  readonly title: string;
  /** The session that it is about. */
  readonly numero: string | undefined;
  readonly message: string;
  /** The label of the button that confirms. */
  readonly confirm: string;
  readonly danger?: boolean;
  readonly onConfirm: () => void;
}

/** Asks before a session is deleted. */
export function deletionOf(numero: string, onConfirm: () => void): Question {
  return {
    title: texts.deleteTitle(numero),
    numero,
    message: texts.deleteMessage,
    confirm: texts.deleteConfirm,
    danger: true,
    onConfirm,
  };
}

/** Asks before the phone of a session is unlinked, and says what stays. */
export function unlinkingOf(numero: string, onConfirm: () => void): Question {
  return {
    title: texts.unlinkTitle(numero),
    numero,
    message: texts.unlinkMessage,
    confirm: texts.unlink,
    danger: true,
    onConfirm,
  };
}

/**
 * Asks before CONNECTED sessions are started anew, which interrupts them.
 * @param connected - how many of them are CONNECTED
 */
export function restartOf(numeros: readonly string[], connected: number, onConfirm: () => void): Question {
  const [numero, another] = numeros;
  return {
    title: another ? texts.startSelected(numeros.length) : `${texts.remedies.again}: ${numero}`,
    numero,
    message: texts.restartMessage(connected, numeros.length),
    confirm: texts.remedies.start,
    onConfirm,
  };
}

/** What the server answers to a request for a link. */
export type CreatedLink = Promise<SentLink | Error>;

/** Creates the link that the dialog shows at once; none where it is not needed, or where one is still valid. */
export function createFirstLink(store: Store, numero: string): CreatedLink | undefined {
  const { session, details } = store.get(numero) ?? {};
  if (!session || session.state === STATES.connected) return undefined;
  return (details?.link?.expires ?? 0) > Date.now() ? undefined : store.createLink(numero);
}
