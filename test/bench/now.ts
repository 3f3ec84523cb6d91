/** Milliseconds since 1970, in fractions, by a clock that all processes of the machine share. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
