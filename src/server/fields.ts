/** Reads fields of what others send, whose shape and size are open. */
import { LONGEST_NAME } from '../wire.ts';
import { clean, cut } from './clean.ts';

/** The longest sentence or state text, in characters. */
export const LONGEST_SENTENCE = 300;
/** The longest numero, in code units: the address of a call holds hardly more. */
const LONGEST_NUMERO = 2_000;

export function readNumero(value: unknown): string | undefined {
  return toNumero(readField(value, 'numero'));
}

/** A numero is kept as a string, whatever JSON type the server used. One that was cut would be another's. */
export function toNumero(value: unknown): string | undefined {
  const numero = typeof value === 'number' ? String(value) : value;
  return typeof numero === 'string' && numero && numero.length <= LONGEST_NUMERO ? numero : undefined;
}

export function readField(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
}

/** A text as it is, cut at that many characters. */
export function toText(value: unknown, longest = LONGEST_SENTENCE): string | undefined {
  return typeof value === 'string' ? cut(value, longest) : undefined;
}

/** A text in one line, cut at that many characters. */
export function readText(value: unknown, field: string, longest = LONGEST_NAME): string | undefined {
  const text = readField(value, field);
  return typeof text === 'string' ? clean(text, longest) : undefined;
}
