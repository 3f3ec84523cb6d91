/**
 * Returns a text of others in one line, safe to show: without control and bidirectional characters.
 * @param longest - in characters; the rest is cut
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

/** Returns the beginning of a text: `longest` characters, not code units, so that none is cut in two. */
export function cut(text: string, longest: number): string {
  return text.length > longest ? [...text.slice(0, longest * 2)].slice(0, longest).join('') : text;
}
