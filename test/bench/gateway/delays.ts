/** Width of a counter, in milliseconds. */
const STEP = 0.1;
/** Anything longer counts as this, in milliseconds. */
const LONGEST = 60_000;

/** Millions of delays, counted by their length, in a form that can be sent to another process and added up. */
export class Delays {
  readonly counts = new Uint32Array(LONGEST / STEP + 1);

  /** @param delay - in milliseconds; the clocks of two processes differ by microseconds, so it can be below 0 */
  add(delay: number): void {
    const slot = Math.floor(Math.min(Math.max(delay, 0), LONGEST) / STEP);
    this.counts[slot] = (this.counts[slot] ?? 0) + 1;
  }

  addAll(counts: Uint32Array): void {
    for (const [slot, count] of counts.entries()) {
      if (count > 0) this.counts[slot] = (this.counts[slot] ?? 0) + count;
    }
  }

  /** The delay that `share` of all do not exceed, in milliseconds; NaN when there are none. */
  quantile(share: number): number {
    const total = this.counts.reduce((sum, count) => sum + count, 0);
    let seen = 0;
    for (const [slot, count] of this.counts.entries()) {
      seen += count;
      if (count > 0 && seen >= share * total) return (slot + 1) * STEP;
    }
    return Number.NaN;
  }
}
