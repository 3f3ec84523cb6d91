import { type ReactNode, useRef } from 'react';
import { useFocusFallback } from './focus.ts';

/** Buttons that leave together, and do not lose the focus then. */
export function Buttons({ children, className }: { children: ReactNode; className?: string }) {
  const box = useRef<HTMLDivElement>(null);
  useFocusFallback(box);
  return (
    <div ref={box} className={className}>
      {children}
    </div>
  );
}
