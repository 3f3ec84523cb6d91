/**
 * Returns the wait before the next attempt, in milliseconds: it doubles each time, less a random part of up to half,
 * so that sessions that were disconnected together do not reconnect together.
 *
 * @param attempt attempts that have failed in a row, from 0
 * @param first longest first wait, in milliseconds
 * @param most longest wait of all, in milliseconds
 */
export function backOff(attempt: number, first: number, most: number, random = Math.random): number {
  const longest = Math.min(most, first * 2 ** attempt);
  return longest * (0.5 + random() / 2);
}
