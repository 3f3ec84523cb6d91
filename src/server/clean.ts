/**
 * A text of others in one line, ready to be shown: without control characters, or those that turn the direction of what
 * follows, and at most as long as that, in characters.
 */
export function clean(text: string, longest: number): string {
  const line = text
    // What is far too long is not read to its end.
    .slice(0, longest * 10)
    .replace(/[\p{Bidi_Control}\p{Surrogate}]/gu, '')
    .replace(/[\p{Control}\s]+/gu, ' ')
    .trim();
  // Characters, not code units: none is cut in two.
  return [...line].slice(0, longest).join('').trimEnd();
}
