/** Reads fields of what others send, whose shape is open. */
import { LONGEST_NAME } from '../wire.ts';
import { clean } from './clean.ts';

export function readNumero(value: unknown): string | undefined {
  return toNumero(readField(value, 'numero'));
}

/** A numero is kept as a string, whatever JSON type the server used. */
export function toNumero(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}

export function readField(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
}

/** A text in one line, cut at that many characters. */
export function readText(value: unknown, field: string, longest = LONGEST_NAME): string | undefined {
  const text = readField(value, field);
  return typeof text === 'string' ? clean(text, longest) : undefined;
}
