/**
 * How long to wait before the next attempt: twice as long each time, and a random part of up to half, so that
 * a hundred sessions that lost their line together do not come back together.
 * @param attempt how many attempts have failed since the last good one, from 0
 * @param first the longest first wait, in milliseconds
 * @param most the longest wait of all, in milliseconds
 */
export function backOff(attempt: number, first: number, most: number, random = Math.random): number {
  const longest = Math.min(most, first * 2 ** attempt);
  return longest * (0.5 + random() / 2);
}
