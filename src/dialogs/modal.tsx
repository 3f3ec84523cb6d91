/** The frame of all dialogs: native, modal, with the focus where it belongs before and after. */
import { type ReactNode, type RefObject, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { Numero } from '../card/head.tsx';
import { type Ability, useObservable, usePanel, useSession } from '../context/panel-context.ts';
import { nameOf } from '../session/record.ts';
import * as texts from '../texts/sentences.ts';
import type { Sentence } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { icons } from '../ui/icons.tsx';
import { ignoreSecondClick } from '../ui/input.ts';

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
 * A ref of a dialog, which is shown as modal while it is rendered. While the page hides the panel the dialog is closed: an
 * invisible modal dialog would make the whole page inert.
 */
function useModal(): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  const { placement } = usePanel();

  useLayoutEffect(() => {
    const dialog = ref.current;
    const panel = dialog?.closest('.panel');
    const layer = panel?.querySelector('.live');
    const home = layer?.parentElement;
    if (!dialog || !panel || !layer || !home) return;
    const follow = () => {
      const shown = panel.checkVisibility();
      if (shown === dialog.matches(':modal')) return;
      dialog.close();
      if (shown) dialog.showModal();
    };
    follow();
    // It makes the rest inert, unreachable for clicks and screen readers: it takes the live layer in.
    move(layer, dialog);
    // A move in the page may end what showModal did.
    const stop = placement.subscribe(follow);
    // A ResizeObserver would do too, but Chromium reports its loops to the page as errors.
    const observer = new IntersectionObserver(follow);
    // The panel may be out of sight when it is hidden, and the dialog is closed when the panel is back.
    observer.observe(dialog);
    observer.observe(panel);
    return () => {
      stop();
      observer.disconnect();
      // Hidden with the dialog, it would restart its animations.
      move(layer, home);
      // React removes the element, which gives the focus to the body: only close() gives it back.
      dialog.close();
    };
  }, [placement]);

  return ref;
}

/** Moves an element without a restart of its animations, where the browser can. */
function move(element: Element, parent: Element): void {
  if (parent.moveBefore) parent.moveBefore(element, null);
  else parent.append(element);
}

interface Props {
  /** With the place of what the session is called: in a question its numero. */
  readonly title: Sentence;
  /** The session that it is about, or what is typed of one. */
  readonly numero: string;
  /** What it asks: then only its own buttons close it. Otherwise Escape, a click outside and the button beside the title do too. */
  readonly question?: string;
  /** What it is for: it closes where that is no longer offered. */
  readonly needs?: Ability;
  readonly children: ReactNode;
}

/**
 * A native modal dialog with a title. Its first control gets the focus, and closing it gives the focus back to what had
 * it before.
 */
export function Modal({ title, numero, question, needs, children }: Props) {
  const { t, may } = usePanel();
  const dialog = useModal();
  const id = useId();
  const record = useSession(numero);
  // What comes while a numero is typed would move the field.
  const name = needs === 'start' ? undefined : nameOf(record);
  const shownName = name && <bdi>{name}</bdi>;
  const shownNumero = <Numero numero={numero} />;
  const [called, also] = question ? [shownNumero, shownName] : [shownName ?? shownNumero, shownNumero];
  const [before, after] = t(title, '{0}').split('{0}');
  const close = useClose();
  const cancel = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!question) close();
  };

  useLayoutEffect(() => {
    if (needs && !may(needs)) close();
  });

  return (
    <dialog
      ref={dialog}
      className="dialog"
      part="dialog"
      data-numero={numero}
      // Without 'none', browsers close on the third Escape even if `cancel` is prevented (HTML, close watchers).
      closedby={question ? 'none' : 'any'}
      aria-labelledby={`${id}title`}
      // An id without an element tells nothing.
      aria-describedby={`${id}name ${id}question`}
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
          <h2 id={`${id}title`}>
            {before}
            {after !== undefined && called}
            {after}
          </h2>
          {name && (
            <p id={`${id}name`} className="muted">
              {also}
            </p>
          )}
        </div>
        {!question && (
          <button type="button" className="icon" aria-label={t(texts.close)} onClick={close}>
            {icons.close}
          </button>
        )}
      </div>
      {question && <p id={`${id}question`}>{question}</p>}
      {children}
    </dialog>
  );
}

interface ConfirmProps extends Required<Omit<Props, 'children'>> {
  /** The label of the button that confirms. */
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly confirmDisabled?: boolean;
  readonly busy?: boolean;
  readonly children?: ReactNode;
}

/** A question that only its two buttons close. */
export function ConfirmDialog(props: ConfirmProps) {
  const { confirm, confirmDisabled, busy, onConfirm, children, ...modal } = props;
  const { t } = usePanel();
  const close = useClose();

  return (
    <Modal {...modal}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        {children}
        <div className="dialog-buttons">
          <Button onClick={close}>{t(texts.cancel)}</Button>
          <Button
            type="submit"
            className={modal.needs === 'start' ? 'filled' : 'filled danger'}
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
