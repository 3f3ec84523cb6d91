import { createContext, useContext, useEffect, useRef } from 'react';
import type { Id, ToastContentProps } from 'react-toastify/unstyled';
import * as texts from '../texts.ts';
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
  const bar = useRef<HTMLDivElement>(null);
  const time = useRef<Animation>(undefined);

  // Unlike one of a style sheet, this animation neither restarts when a dialog takes the notice in nor needs motion to
  // be allowed: it is the notice's clock.
  useEffect(() => {
    if (!autoClose) return;
    const animation = bar.current?.animate(
      { scale: ['1', '0 1'] },
      { duration: autoClose, fill: 'forwards' },
    );
    if (animation) animation.onfinish = () => closeToast();
    time.current = animation;
    return () => animation?.cancel();
  }, [autoClose, closeToast]);
  useEffect(() => {
    if (paused) time.current?.pause();
    else time.current?.play();
  }, [paused]);

  return (
    <>
      <p className="notice-text">{text}</p>
      {autoClose && (
        <div ref={bar} className="notice-time" role="progressbar" aria-label={texts.noticeTime} />
      )}
    </>
  );
}

export function CloseButton({ closeToast }: Pick<ToastContentProps, 'closeToast'>) {
  return (
    <button type="button" className="icon" aria-label={texts.close} onClick={closeToast}>
      {closeIcon}
    </button>
  );
}
