/** The value that this share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** By how much the values grow from one to the next, by least squares; NaN when there are fewer than two. */
export function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let together = 0;
  let spread = 0;
  for (const [index, value] of values.entries()) {
    together += (index - middle) * (value - mean);
    spread += (index - middle) ** 2;
  }
  return together / spread;
}
