import { type ReactNode, useId } from 'react';
import * as texts from '../texts.ts';
import { Modal, useClose } from './modal.tsx';

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

interface Props extends Question {
  readonly confirmDisabled?: boolean;
  readonly busy?: boolean;
  readonly children?: ReactNode;
}

/** A question that only its two buttons close. */
export function ConfirmDialog({
  title,
  numero,
  message,
  confirm,
  confirmDisabled,
  busy,
  danger,
  onConfirm,
  children,
}: Props) {
  const messageId = useId();
  const close = useClose();

  return (
    <Modal title={title} numero={numero} describedBy={messageId} mustAnswer>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!confirmDisabled && !busy) onConfirm();
        }}
      >
        <p id={messageId}>{message}</p>
        {children}
        <div className="dialog-buttons">
          <button type="button" className="flat" onClick={close}>
            {texts.cancel}
          </button>
          <button
            type="submit"
            className={danger ? 'filled danger' : 'filled'}
            disabled={confirmDisabled}
            aria-disabled={busy || undefined}
          >
            {confirm}
          </button>
        </div>
      </form>
    </Modal>
  );
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
