import { now } from '../../../test/bench/now.ts';

export interface Rate {
  /** Pushes per second. */
  readonly rate: number;
  readonly seconds: number;
}

/**
 * Acts at an even pace.
 *
 * @param act called with a count from 0 on, and when this one was due by the clock of `now.ts`
 */
export async function evenly(
  { rate, seconds }: Rate,
  act: (index: number, due: number) => void,
): Promise<void> {
  const start = now();
  for (let index = 0; index < rate * seconds; ) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    // A late event loop finds several due; those that fall due meanwhile wait, so that the sockets get their turn.
    const dueNow = Math.min(((now() - start) / 1_000) * rate, rate * seconds);
    for (; index < dueNow; index += 1) act(index, start + (index / rate) * 1_000);
  }
}
