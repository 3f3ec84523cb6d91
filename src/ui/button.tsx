import { type ComponentProps, useRef, useState } from 'react';
import { log } from '../log.ts';

/** A title is its accessible name, too. */
export function Button(props: ComponentProps<'button'>) {
  return <button type="button" part="button" aria-label={props.title} {...props} />;
}

/** Runs an action unless another is running; `fail` takes the words on its failure. */
type Run = (action: (fail: (words: string) => void) => Promise<unknown>) => Promise<void>;

/**
 * Whether an action of this component is running, the function that runs one, and how the last one failed. A busy button has
 * `aria-disabled`: the real attribute would take the focus from it.
 */
export function useBusy(): [boolean, Run, string | undefined] {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  /** Known before the next rendering: StrictMode runs an effect twice in a row. */
  const isRunning = useRef(false);
  const run: Run = async (action) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setFailure(undefined);
    await action(setFailure).catch(log);
    isRunning.current = false;
    setBusy(false);
  };
  return [busy, run, failure];
}
