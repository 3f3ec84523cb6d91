import { useRef, useState } from 'react';

/**
 * Whether an action of this component is under way, and a function that runs one, unless one is. A busy button has
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
    try {
      await action();
    } catch (error) {
      console.error('whatsapp-operadores:', error);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return [busy, run];
}
