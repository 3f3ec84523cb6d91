import { type MouseEvent, type ReactNode, useId, useRef } from 'react';
import { useLiveLayer } from '../notices/live-layer.tsx';
import { ignoreSecondClick } from '../ui/guards.ts';
import { useModal } from './use-modal.ts';
import { useReturn } from './use-return.ts';

interface Props {
  readonly title: string;
  /** The session whose card it was opened from. */
  readonly numero?: string | undefined;
  /** The id of what in it describes it. */
  readonly describedBy?: string;
  /** Escape and a click beside it ask for this; without it nothing but its own buttons closes it. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

/**
 * A native modal dialog with its title. The first control in it has the focus at first, and closing gives it back to
 * what had it before.
 */
export function Modal({ title, numero, describedBy, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const beside = useRef<HTMLSpanElement>(null);
  const pressedBeside = useRef(false);
  const titleId = useId();

  useModal(dialog, beside);
  useReturn(dialog, numero);
  useLiveLayer(dialog);

  return (
    <>
      <span ref={beside} className="visually-hidden" />
      <dialog
        ref={dialog}
        className="dialog"
        part="dialog"
        // Without 'none' a browser closes on the third Escape whatever `cancel` is told (HTML, close watchers).
        closedby={onClose ? 'any' : 'none'}
        aria-labelledby={titleId}
        aria-describedby={describedBy}
        onClickCapture={ignoreSecondClick}
        // A press beside it would take the focus from the field and give it to nothing.
        onMouseDown={(event) => {
          if (event.target === event.currentTarget) event.preventDefault();
          pressedBeside.current = isBeside(event);
        }}
        // For browsers that do not know `closedby` yet. What was only dragged there was a text being selected.
        onClick={(event) => pressedBeside.current && isBeside(event) && onClose?.()}
        onCancel={(event) => {
          event.preventDefault();
          onClose?.();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onClose?.();
        }}
      >
        <h2 id={titleId}>{title}</h2>
        {children}
      </dialog>
    </>
  );
}

function isBeside({ currentTarget, clientX: x, clientY: y }: MouseEvent): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom;
}
