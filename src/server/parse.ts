/** Validates what the server sends: the spec leaves its shape open. Codes are never logged. */

import type { Details } from '../session/details.ts';
import type { ListedSession, Push, Session } from '../session/session.ts';
import * as texts from '../texts.ts';
import { CHANGE_STATE, eventName, NUMERO_EVENTS, type NumeroEvent } from '../wire.ts';
import { readField, readNumero, toNumero, toText } from './fields.ts';
import { RequestError } from './http.ts';

/** The most sessions that are shown: twice as many as the panel is measured with. */
export const MOST_SESSIONS = 10_000;
/** Longer than any code that can be drawn, which has 3057 digits at most (ISO/IEC 18004, level H). */
const LONGEST_CODE = 4_000;

/**
 * @param detailsOf - reads what an item has beside the session
 * @throws {RequestError} when the answer is no list, or is too long.
 */
export function parseList(body: string, detailsOf?: (item: unknown) => Details): ListedSession[] {
  const answer = parseJson(body);
  if (!Array.isArray(answer) || answer.length > MOST_SESSIONS)
    throw new RequestError('answer', texts.notJson);
  const leftOut = answer.filter((item: unknown) => readNumero(item) === undefined);
  if (leftOut.length > 0)
    console.error(`whatsapp-operadores: ${leftOut.length} without numero:`, typeof leftOut[0]);
  return answer.flatMap((item: unknown) => {
    const numero = readNumero(item);
    if (numero === undefined) return [];
    return { ...readSession(numero, item), ...(detailsOf && { details: detailsOf(item) }) };
  });
}

/** Returns the numero of the session that was started, if the answer has one. */
export function parseStarted(body: string): string | undefined {
  return readNumero(parseJson(body));
}

export function readSession(numero: string, item: unknown): Session {
  const qrCode = toText(readField(item, 'qrCode'), LONGEST_CODE);
  return {
    numero,
    state: toText(readField(item, 'state')) ?? '',
    ...(qrCode && { qrCode }),
    waiting: readField(item, 'waiting') === true,
  };
}

/** Returns the push that an event is, if it is one. An invalid push is logged. */
export function parsePush(name: string, args: unknown[]): Push | undefined {
  const type = NUMERO_EVENTS.find((event) => name.startsWith(eventName(event, '')));
  if (!type && name !== CHANGE_STATE) return undefined;
  const push = type ? parseNumeroEvent(type, name, args) : parseStateChange(args);
  if (!push) console.error(`whatsapp-operadores: ${name} is invalid:`, typeof args[0]);
  return push;
}

function parseNumeroEvent(type: NumeroEvent, name: string, args: unknown[]): Push | undefined {
  const numero = toNumero(name.slice(eventName(type, '').length));
  if (numero === undefined) return undefined;
  if (type !== 'qr') return { type, numero };
  const qrCode = toText(args[0], LONGEST_CODE);
  return qrCode ? { type, numero, qrCode } : undefined;
}

/** Servers send `{numero, state}` or `(numero, state)`: the spec leaves it open. */
function parseStateChange(args: unknown[]): Push | undefined {
  const [first, second] = args;
  const numero = toNumero(first) ?? readNumero(first);
  const state = toText(second) ?? toText(readField(first, 'state'));
  return numero !== undefined && state !== undefined ? { type: 'change_state', numero, state } : undefined;
}

/** @throws {RequestError} when the text is not JSON. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new RequestError('answer', texts.notJson, { cause });
  }
}
