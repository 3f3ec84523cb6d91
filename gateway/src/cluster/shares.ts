/**
 * Returns the most sessions of each gateway in an even distribution of all sessions: the smallest whole number t with Σ
 * min(t, capacity) ≥ total; the largest capacity if there is not room for all.
 */
export function shareOf(total: number, capacities: readonly number[]): number {
  let rest = total;
  const ascending = [...capacities].sort((a, b) => a - b);
  for (const [index, capacity] of ascending.entries()) {
    const share = Math.ceil(rest / (ascending.length - index));
    if (share <= capacity) return share;
    rest -= capacity;
  }
  return ascending.at(-1) ?? 0;
}
