/** Width of a counter, in milliseconds. */
const STEP = 0.1;
/** Longer delays count as this, in milliseconds. */
const LONGEST = 60_000;

/** A histogram of delays that can be sent to another process and merged. */
export class Delays {
  readonly counts = new Uint32Array(LONGEST / STEP + 1);

  /** @param delay in milliseconds; below 0 if the clocks of two processes differ by microseconds */
  add(delay: number): void {
    const slot = Math.floor(Math.min(Math.max(delay, 0), LONGEST) / STEP);
    this.counts[slot] = (this.counts[slot] ?? 0) + 1;
  }

  addAll(counts: Uint32Array): void {
    for (const [slot, count] of counts.entries()) {
      if (count > 0) this.counts[slot] = (this.counts[slot] ?? 0) + count;
    }
  }

  /** Returns the delay that `share` of all do not exceed, in milliseconds; NaN if there are none. */
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
