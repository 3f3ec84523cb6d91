import { type ReactNode, useId } from 'react';
import { type Question, usePanel } from '../context/panel-context.ts';
import * as texts from '../texts.ts';
import { Button } from '../ui/button.tsx';
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
  needs,
  onConfirm,
  children,
}: Props) {
  const { t } = usePanel();
  const messageId = useId();
  const close = useClose();

  return (
    <Modal title={title} numero={numero} describedBy={messageId} needs={needs} mustAnswer>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        <p id={messageId}>{message}</p>
        {children}
        <div className="dialog-buttons">
          <Button onClick={close}>{t(texts.cancel)}</Button>
          <Button
            type="submit"
            className={needs === 'start' ? 'filled' : 'filled danger'}
            disabled={confirmDisabled}
            aria-disabled={busy}
          >
            {confirm}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
