import type { ReactNode } from 'react';
import type { Asks } from '../session/status.ts';

interface Props {
  readonly pressed: boolean;
  readonly onToggle: () => void;
  /** Gives it the badge of the states that ask for this. */
  readonly asks?: Asks;
  readonly children: ReactNode;
}

/** A button that stays pressed until it is pressed again. */
export function Toggle({ pressed, onToggle, asks, children }: Props) {
  return (
    <button type="button" className="toggle" data-asks={asks} aria-pressed={pressed} onClick={onToggle}>
      {children}
    </button>
  );
}
