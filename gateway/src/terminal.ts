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

/** Most characters that are quoted of a text. */
const QUOTED = 200;
/** Longest text that is looked at as a URL, in characters. */
const LONGEST_URL = 2_000;
/** Characters that words and paths lack: they may separate a password from the text before it. */
const SEPARATOR = /[^\p{L}\p{M}\p{N}\p{Z}\p{C}\p{Pc}\p{Pd}\p{Pe}\p{Pf}\p{Pi}\p{Ps}!"$'*+,./\\<>^`|~…]/u;
/** Scheme, user, hosts, path, and the rest. */
const URL_PARTS = /^([a-z][a-z\d+.-]*:\/\/)([^/?#\\]*@)?([^/?#\\]*)([^?#]*)(.*)$/is;
/** One host, perhaps with a port. */
const HOST = /^(?:[\p{L}\p{M}\p{N}._-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/iu;
/** A host that is not a user's name, and an invalid port. */
const ODD_PORT = /^(?:localhost|\d+\.\d+\.\d+\.\d+|\[[\da-f:.]+\]):\S{0,5}$/i;

/**
 * Returns the parts of an operator's text that messages may quote: only what certainly is not a password, even in an
 * invalid URL or one without a host. *** replaces the rest.
 */
export function quotable(text: string): string {
  const shown = isPlain(text) ? text : withoutPassword(text);
  return printable(shown.length > QUOTED ? `${shown.slice(0, QUOTED)}…` : shown);
}

/** Whether a text is a word, a path or an address, which contain no password. */
function isPlain(text: string): boolean {
  if (!SEPARATOR.test(text)) return true;
  if (text.length > LONGEST_URL) return false;
  if (/^[a-z]:[\\/]/i.test(text)) return !SEPARATOR.test(text.slice(2));
  return HOST.test(text) || ODD_PORT.test(text) || isIPv6(text.replace(/\/\d{1,3}$/, ''));
}

function withoutPassword(text: string): string {
  const parts = text.length > LONGEST_URL ? undefined : URL_PARTS.exec(text);
  if (!parts) return '***';
  const [, scheme = '', user, hosts = '', path = '', rest = ''] = parts;
  if (!hosts.split(',').every((host) => HOST.test(host))) return `${scheme}***`;
  const place = SEPARATOR.test(path) ? '/***' : path;
  return `${scheme}${user ? '***@' : ''}${hosts}${place}${rest && `${rest[0]}***`}`;
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
