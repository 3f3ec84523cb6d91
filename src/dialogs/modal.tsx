/** The frame of all dialogs: native, modal, with the focus where it belongs before and after. */
import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import {
  type Question,
  useObservable,
  usePanel,
  usePlacement,
  useSession,
} from '../context/panel-context.ts';
import { nameOf } from '../session/record.ts';
import type { Ability } from '../store/abilities.ts';
import * as texts from '../texts/sentences.ts';
import { Button } from '../ui/button.tsx';
import { closeIcon } from '../ui/icons.tsx';
import { ignoreSecondClick } from '../ui/input.ts';
import { useLiveLayer, useModal } from '../ui/top-layer.tsx';

interface Props {
  readonly title: string;
  /** The session that it is about, if it is about one. */
  readonly numero?: string | undefined;
  /** The id of what describes the dialog. */
  readonly describedBy?: string;
  /** Whether only its own buttons close it: by default Escape, a click outside and the button beside the title do too. */
  readonly mustAnswer?: boolean;
  /** What it is for: it closes where that is no longer offered. */
  readonly needs?: Ability;
  readonly children: ReactNode;
}

/** Returns the function that closes the dialog of this component, and returns false where that is no longer open. */
export function useClose(): () => boolean {
  const { dialog } = usePanel();
  const own = useObservable(dialog);
  return () => {
    const isOpen = dialog.get() === own;
    if (isOpen) dialog.set(undefined);
    return isOpen;
  };
}

/**
 * A native modal dialog with a title. Its first control gets the focus, and closing it gives the focus back to what had
 * it before.
 */
export function Modal({ title, numero, describedBy, mustAnswer, needs, children }: Props) {
  const { t, may } = usePanel();
  const dialog = useRef<HTMLDialogElement>(null);
  const beside = useRef<HTMLSpanElement>(null);
  const titleId = useId();
  const nameId = useId();
  const name = nameOf(useSession(numero ?? ''));
  const closeDialog = useClose();
  const dismiss = () => !mustAnswer && closeDialog();
  const cancel = (event: SyntheticEvent) => {
    event.preventDefault();
    dismiss();
  };

  useLayoutEffect(() => {
    if (needs && !may(needs)) closeDialog();
  });
  useModal(dialog, beside, usePlacement());
  useLiveLayer(dialog);
  // After the live layer has left: hidden with the dialog, it would restart its animations.
  useLayoutEffect(() => {
    const element = dialog.current;
    // React removes the element, which gives the focus to the body: only close() gives it back.
    return () => element?.close();
  }, []);

  return (
    <>
      <span ref={beside} className="visually-hidden" />
      <dialog
        ref={dialog}
        className="dialog"
        part="dialog"
        data-numero={numero}
        // Without 'none', browsers close on the third Escape even if `cancel` is prevented (HTML, close watchers).
        closedby={mustAnswer ? 'none' : 'any'}
        aria-labelledby={titleId}
        aria-describedby={name ? `${nameId} ${describedBy ?? ''}` : describedBy}
        onClickCapture={ignoreSecondClick}
        // A press outside would take the focus out of the field.
        onMouseDown={(event) => {
          if (event.target === event.currentTarget) event.preventDefault();
        }}
        onCancel={cancel}
        onKeyDown={(event) => event.key === 'Escape' && cancel(event)}
      >
        <div className="dialog-title">
          <div>
            <h2 id={titleId}>{title}</h2>
            {/* The title has the numero. */}
            {name && (
              <p id={nameId}>
                <bdi>{name}</bdi>
              </p>
            )}
          </div>
          {!mustAnswer && (
            <button type="button" className="icon" aria-label={t(texts.close)} onClick={dismiss}>
              {closeIcon}
            </button>
          )}
        </div>
        {children}
      </dialog>
    </>
  );
}

interface ConfirmProps extends Question {
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
}: ConfirmProps) {
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
