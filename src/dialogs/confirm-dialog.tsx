import { type ReactNode, useId } from 'react';
import * as texts from '../texts.ts';
import { Modal } from './modal.tsx';
import type { Question } from './questions.ts';

interface Props extends Question {
  readonly confirmDisabled?: boolean;
  readonly busy?: boolean;
  readonly onCancel: () => void;
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
  onCancel,
  children,
}: Props) {
  const messageId = useId();

  return (
    <Modal title={title} numero={numero} describedBy={messageId}>
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
          <button type="button" className="flat" onClick={onCancel}>
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
