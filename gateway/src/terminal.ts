import { isIPv6 } from 'node:net';

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

/** The beginning of a URL, or of an option that is one. */
const SCHEME = /^[-a-z][a-z\d+.-]*:\/+/i;
/** What ends a user's name and password, in all ways to write it. */
const AT = ['@', '＠', '%40'];
/** Most characters that are quoted of a text. */
const QUOTED = 200;

/**
 * Returns what messages quote of a text that an operator gave: no password, even of a wrong URL or of one that lacks its
 * host. What may be one is shown as ***.
 */
export function quotable(text: string): string {
  const [scheme = ''] = SCHEME.exec(text) ?? [];
  const rest = text.slice(scheme.length);
  const at = Math.max(...AT.map((sign) => rest.lastIndexOf(sign)));
  const shown = scheme + (at < 0 ? withoutPassword(rest) : `***${rest.slice(at)}`);
  const value = shown.search(/[=?#]/);
  const open = value < 0 ? shown : `${shown.slice(0, value + 1)}***`;
  return printable(open.length > QUOTED ? `${open.slice(0, QUOTED)}…` : open);
}

/** What follows a name and a colon is a port, or may be a password. */
function withoutPassword(text: string): string {
  const [host = ''] = text.split('/', 1);
  if (isIPv6(host) || /^[a-z]:\\/i.test(text)) return text;
  const [name] = /^(\[[^\]]*\]|[^:[]*):(?!\d*$)/.exec(host) ?? [];
  return name === undefined ? text : `${name}***`;
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
