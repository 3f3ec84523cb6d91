import type { ToastContentProps } from 'react-toastify/unstyled';
import { texts } from '../texts.ts';
import { CloseIcon } from '../ui/icons.tsx';

interface Props extends ToastContentProps {
  readonly text: string;
}

/**
 * One notice: its text, and the bar whose end closes it. The library's own bar has the name 'notification timer', which
 * would be English on a Spanish page.
 */
export function NoticeContent({ text, closeToast, isPaused, toastProps: { autoClose } }: Props) {
  return (
    <>
      <p className="notice-text">{text}</p>
      {autoClose && (
        <div
          className="notice-time"
          role="progressbar"
          aria-label={texts.noticeTime}
          style={{ animationDuration: `${autoClose}ms`, animationPlayState: isPaused ? 'paused' : 'running' }}
          onAnimationEnd={() => closeToast()}
        />
      )}
    </>
  );
}

export function CloseButton({ closeToast }: Pick<ToastContentProps, 'closeToast'>) {
  return (
    <button type="button" className="notice-close" aria-label={texts.close} onClick={closeToast}>
      <CloseIcon />
    </button>
  );
}
