import type { MouseEvent, ReactNode } from 'react';
import { focusFallback } from './focus.ts';

interface Props {
  readonly children: ReactNode;
  /** What the button says. */
  readonly action: string;
  readonly onAction: (event: MouseEvent) => void;
  /** Whether the button opens a dialog. */
  readonly opensDialog?: boolean;
}

/** Explains why something expected is missing, and offers the next step. */
export function MessageBox({ children, action, onAction, opensDialog }: Props) {
  return (
    <div ref={focusFallback} className="empty">
      {children}
      <button type="button" className="filled" aria-haspopup={opensDialog && 'dialog'} onClick={onAction}>
        {action}
      </button>
    </div>
  );
}
