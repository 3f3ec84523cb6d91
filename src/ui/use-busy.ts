import { useState } from 'react';

/**
 * Whether an action of this component is under way, and a way to run one that is not started twice.
 * A busy button is told by `aria-disabled`: the real attribute would throw the focus off it.
 */
export function useBusy(): [boolean, (action: () => Promise<unknown>) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  const run = async (action: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(true);
    await action();
    setBusy(false);
  };
  return [busy, run];
}
