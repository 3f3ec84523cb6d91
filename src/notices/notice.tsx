import { createContext, useContext, useEffect, useRef, useState } from 'react';
import type { Id, ToastContentProps } from 'react-toastify/unstyled';
import * as texts from '../texts.ts';
import { focusFallback } from '../ui/focus.ts';
import { closeIcon } from '../ui/icons.tsx';

/** The notices that are on the screen: the time of the others stands still. */
export const ShownContext = createContext<readonly Id[]>([]);

interface Props extends ToastContentProps {
  readonly text: string;
}

/**
 * One notice: its text, and the bar that shows its time. The library's own bar has the name 'notification timer', which
 * would be English on a Spanish page.
 */
export function NoticeContent({ text, closeToast, isPaused, toastProps: { autoClose, toastId } }: Props) {
  const paused = !useContext(ShownContext).includes(toastId) || isPaused;
  /** Tells how many milliseconds of its time have passed. */
  const age = useRef((): number => 0);
  const [shownAge, showAge] = useState(0);

  // The bar's animation is no clock: it ends while a dialog takes the notice in, or while the panel is hidden.
  useEffect(() => {
    if (!autoClose || paused) return;
    const from = Date.now() - age.current();
    age.current = () => Date.now() - from;
    const timer = setTimeout(closeToast, autoClose - age.current());
    return () => {
      clearTimeout(timer);
      const last = age.current();
      age.current = () => last;
    };
  }, [autoClose, closeToast, paused]);

  return (
    <>
      <p className="notice-text">{text}</p>
      {autoClose && (
        <div
          className="notice-time"
          role="progressbar"
          aria-label={texts.noticeTime}
          style={{
            animationDuration: `${autoClose}ms`,
            animationDelay: `${-shownAge}ms`,
            animationPlayState: paused ? 'paused' : 'running',
          }}
          // The animation restarts where the notice was moved or hidden.
          onAnimationStart={() => showAge(age.current())}
        />
      )}
    </>
  );
}

export function CloseButton({ closeToast }: Pick<ToastContentProps, 'closeToast'>) {
  return (
    <button ref={focusFallback} type="button" className="icon" aria-label={texts.close} onClick={closeToast}>
      {closeIcon}
    </button>
  );
}
