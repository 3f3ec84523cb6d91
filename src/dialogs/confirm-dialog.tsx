import { type ReactNode, useId } from 'react';
import type { Question } from '../context/panel-context.ts';
import * as texts from '../texts.ts';
import { Modal, useClose } from './modal.tsx';

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
            aria-disabled={busy}
          >
            {confirm}
          </button>
        </div>
      </form>
    </Modal>
  );
}
