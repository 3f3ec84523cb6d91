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

/** What is in front of the last @, after `https://` or the like. */
const USER = /^([a-z][a-z\d+.-]*:\/+)?(.*)@/is;
/** A value with a name such as `password`, `apikey` or `sslpassword`, of a query or of a connection string. */
const SECRET = /([^=&?#;\s]*(?:pass|pwd|token|secret|key)[^=&?#;\s]*)=[^&#\s]*/gi;
/** Most characters that are quoted of a text. */
const QUOTED = 200;

/** Returns what messages quote of a text that an operator gave: no password of a URL, even of a wrong one. */
export function quotable(text: string): string {
  const open = text
    .replace(USER, (whole, scheme: string | undefined, user: string) =>
      scheme !== undefined || user.includes(':') ? `${scheme ?? ''}***@` : whole,
    )
    .replace(SECRET, '$1=***');
  return printable(open.length > QUOTED ? `${open.slice(0, QUOTED)}…` : open);
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
