/** Validates what the server sends: the spec leaves its shape open (design §3). Codes are never logged. */

import type { Details } from '../session/details.ts';
import type { ListedSession, Push, Session } from '../session/session.ts';
import * as texts from '../texts.ts';
import { CHANGE_STATE, eventName, NUMERO_EVENTS, type NumeroEvent } from '../wire.ts';
import { readField, readNumero, toNumero } from './fields.ts';
import { RequestError } from './http.ts';

/**
 * @param detailsOf - reads what an item has beside the session
 * @throws {RequestError} when the answer is no list.
 */
export function parseList(body: string, detailsOf?: (item: unknown) => Details): ListedSession[] {
  const answer = parseJson(body);
  if (!Array.isArray(answer)) throw new RequestError('answer', texts.notJson);
  return answer.flatMap((item: unknown) => {
    const numero = readNumero(item);
    if (numero !== undefined) {
      return [{ ...readSession(numero, item), ...(detailsOf && { details: detailsOf(item) }) }];
    }
    console.error('whatsapp-operadores: a session without numero was left out:', shapeOf(item));
    return [];
  });
}

/** Returns the numero of the session that was started, if the answer has one. */
export function parseStarted(body: string): string | undefined {
  return readNumero(parseJson(body));
}

export function readSession(numero: string, item: unknown): Session {
  const state = readField(item, 'state');
  const qrCode = readField(item, 'qrCode');
  return {
    numero,
    state: typeof state === 'string' ? state : '',
    ...(typeof qrCode === 'string' && qrCode !== '' && { qrCode }),
    waiting: readField(item, 'waiting') === true,
  };
}

/** Returns the push that an event is, if it is one. An invalid push is logged. */
export function parsePush(name: string, args: unknown[]): Push | undefined {
  const type = NUMERO_EVENTS.find((event) => name.startsWith(eventName(event, '')));
  if (!type && name !== CHANGE_STATE) return undefined;
  const push = type ? parseNumeroEvent(type, name, args) : parseStateChange(args);
  if (!push) console.error(`whatsapp-operadores: ${name} is invalid:`, ...args.map(shapeOf));
  return push;
}

function parseNumeroEvent(type: NumeroEvent, name: string, args: unknown[]): Push | undefined {
  const numero = name.slice(eventName(type, '').length);
  if (type !== 'qr') return { type, numero };
  const [qrCode] = args;
  return typeof qrCode === 'string' && qrCode !== '' ? { type, numero, qrCode } : undefined;
}

/** Servers send `{numero, state}` or `(numero, state)`: the spec leaves it open. */
function parseStateChange(args: unknown[]): Push | undefined {
  const [first, second] = args;
  const numero = toNumero(first) ?? readNumero(first);
  const state = typeof second === 'string' ? second : readField(first, 'state');
  return numero !== undefined && typeof state === 'string'
    ? { type: 'change_state', numero, state }
    : undefined;
}

/** What is wrong with a value, without what is in it. */
function shapeOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const kind = Array.isArray(value) ? 'array' : 'object';
  return `${kind} with ${Object.keys(value).slice(0, 10).join(', ') || 'no fields'}`;
}

/** @throws {RequestError} when the text is not JSON. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new RequestError('answer', texts.notJson, { cause });
  }
}
