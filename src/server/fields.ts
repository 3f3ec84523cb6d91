/** Reads fields of what the server and the host page send, whose shape and size are open. */
import { LONGEST_NAME } from '../wire.ts';

/** The longest sentence or state text, in characters. */
export const LONGEST_SENTENCE = 300;
/** The longest numero, in code units: a URL can hardly be longer. */
const LONGEST_NUMERO = 2_000;
/** `Date` ends at 8.64e15: a moment stays valid when an accepted offset is added. */
const LAST_MOMENT = 8e15;

/** A numero is kept as a string, whatever JSON type the server used, and never cut: it would be another's. */
export function toNumero(value: unknown): string | undefined {
  const numero = typeof value === 'number' ? String(value) : value;
  return typeof numero === 'string' && numero && numero.length <= LONGEST_NUMERO ? numero : undefined;
}

export function readField(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
}

/** Returns a text, cut at that many characters. */
export function toText(value: unknown, longest = LONGEST_SENTENCE): string | undefined {
  return typeof value === 'string' ? cut(value, longest) : undefined;
}

/** Returns a text in one line, cut at that many characters, and without control and bidirectional characters. */
export function readText(value: unknown, field: string, longest = LONGEST_NAME): string | undefined {
  const text = readField(value, field);
  if (typeof text !== 'string') return undefined;
  const line = text
    // The expressions do not scan a text that is far too long.
    .slice(0, longest * 10)
    .replace(/[\p{Bidi_Control}\p{Surrogate}]/gu, '')
    .replace(/[\p{Control}\s]+/gu, ' ')
    .trim();
  return cut(line, longest).trimEnd();
}

/** Returns a sentence of a server, which is shown as it is. Failures have it in `message`, as in most frameworks. */
export function readSentence(body: unknown, field: 'message' | 'notice'): string | undefined {
  const text = readField(body, field);
  const sentence = typeof text === 'string' ? text.trim() : '';
  return shorten(sentence, LONGEST_SENTENCE) || undefined;
}

/** Returns a text, or its beginning and an ellipsis where it has more than this many characters. */
export function shorten(text: string, longest: number): string {
  const begin = cut(text, longest);
  return begin === text ? text : `${cut(begin, longest - 1)}…`;
}

/** Returns the beginning of a text: `longest` characters, not code units, so that none is cut in two. */
function cut(text: string, longest: number): string {
  return text.length > longest ? [...text.slice(0, longest * 2)].slice(0, longest).join('') : text;
}

/** Reads the address of a web page. It is opened with a click: no script may hide in it. No real one is longer. */
export function toUrl(owner: unknown, base?: string): string | undefined {
  const written = readField(owner, 'url');
  const url = typeof written === 'string' ? URL.parse(written, base) : null;
  return url?.href.match(/^https?:.{1,2000}$/)?.[0];
}

/** Reads an amount, such as a moment of the server: milliseconds since 1970 by its own clock. */
export function readAmount(owner: unknown, field: string): number | undefined {
  const value = readField(owner, field);
  return typeof value === 'number' && value >= 0 && value < LAST_MOMENT ? value : undefined;
}
