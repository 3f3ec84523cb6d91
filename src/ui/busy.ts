import { useRef, useState } from 'react';
import { log } from '../log.ts';

/**
 * Whether an action of this component is running, and a function that runs one unless another is. A busy button has
 * `aria-disabled`: the real attribute would take the focus from it.
 */
export function useBusy(): [boolean, (action: () => Promise<unknown>) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  /** Known before the next rendering: StrictMode runs an effect twice in a row. */
  const isRunning = useRef(false);
  const run = async (action: () => Promise<unknown>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    await action().catch(log);
    isRunning.current = false;
    setBusy(false);
  };
  return [busy, run];
}
