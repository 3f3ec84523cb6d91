/** Returns a number of sessions as operators read it. */
export function sessionsIn(count: number): string {
  return count === 1 ? '1 session' : `${count} sessions`;
}

/** Returns the rows as lines, with the cells of each column below each other. */
export function inColumns(rows: readonly (readonly string[])[]): string[] {
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
