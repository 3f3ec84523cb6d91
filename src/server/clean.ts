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
  return cut(line, longest).trimEnd();
}

/** The beginning of a text, at most as long as that: characters, not code units, so that none is cut in two. */
export function cut(text: string, longest: number): string {
  return text.length > longest ? [...text.slice(0, longest * 2)].slice(0, longest).join('') : text;
}
