/** Returns a number of sessions as operators read it. */
export function sessionsIn(count: number): string {
  return count === 1 ? '1 session' : `${count} sessions`;
}

/** Returns a text with its control characters escaped: a terminal would obey them, or write backwards. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the rows as lines, with the cells of each column below each other. */
export function inColumns(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(printable));
  const columns = Math.max(0, ...rows.map(({ length }) => length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Returns how long ago something was, in whole days. @param time in milliseconds since 1970 */
export function daysSince(time: number): string {
  const days = Math.max(0, Math.floor((Date.now() - time) / (24 * 60 * 60_000)));
  return days === 1 ? '1 day' : `${days} days`;
}
