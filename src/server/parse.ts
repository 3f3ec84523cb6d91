/** Validates what the server sends: the spec leaves its shape open. Codes are never logged. */

import { log } from '../log.ts';
import { PAGE_LENGTH, type PastEntry, type PastPage } from '../session/history.ts';
import {
  type Details,
  type DetailsChange,
  keepDetails,
  type ListedSession,
  NO_DETAILS,
  type Pairing,
  type Push,
  type Session,
} from '../session/session.ts';
import * as texts from '../texts.ts';
import {
  ACK_STATUSES,
  CHANGE_STATE,
  EXTENSIONS,
  type Extension,
  eventName,
  MESSAGE_ACK,
  NUMERO_EVENTS,
  type NumeroEvent,
  SESSION_CREATED,
  SESSION_DELETED,
  type WireSentLink,
} from '../wire.ts';
import { LONGEST_SENTENCE, readField, readNumero, readText, toNumero, toText } from './fields.ts';
import { type Answer, RequestError } from './http.ts';

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
  if (leftOut.length > 0) log(`${leftOut.length} without numero:`, typeof leftOut[0]);
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
  if (!push) log(`${name} is invalid:`, typeof args[0]);
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

/** Validates what a server with extensions sends. What has the wrong type counts as absent, and is logged once. */

/** The most entries of one answer that are taken, as many as a call may ask for. */
const MOST_ENTRIES = 200;
/** Milliseconds by which the clocks may differ unnoticed: the header `Date` has whole seconds, and takes its time. */
const TOLERANCE_MS = 2_000;
/** The last moment that a `Date` can hold is 8.64e15: a moment remains a valid date with any accepted offset added. */
const LAST_MOMENT = 8e15;
const LARGEST_OFFSET_MS = 6e14;

/** A link for the person who holds the phone. `expires` is in milliseconds since 1970, by the browser's clock. */
export type SentLink = Readonly<WireSentLink>;

type Draft = { -readonly [Name in keyof DetailsChange]: DetailsChange[Name] };

export class ExtensionParser {
  /** How far the server's clock is ahead of the browser's, in milliseconds. */
  #clockOffset = 0;
  /** What has been logged. */
  readonly #logged = new Set<string>();

  /** Takes the clock's offset from an answer. NaN is ignored. */
  setClock(offset: number): void {
    // Otherwise moments would change with each answer.
    const isNews = Math.abs(offset - this.#clockOffset) > TOLERANCE_MS;
    if (isNews && Math.abs(offset) < LARGEST_OFFSET_MS) this.#clockOffset = offset;
  }

  /** The known extensions that a server announces. */
  extensions([payload]: unknown[]): ReadonlySet<Extension> {
    const names = readField(payload, 'extensions');
    if (!Array.isArray(names)) this.#log('extensions');
    return new Set(EXTENSIONS.filter((extension) => Array.isArray(names) && names.includes(extension)));
  }

  /** Returns the push of an extension that an event is, if it is one. */
  push(name: string, [payload]: unknown[]): Push | undefined {
    if (name === SESSION_CREATED) return this.#created(payload) ?? this.#log(name);
    if (name === MESSAGE_ACK) return this.#ack(payload) ?? this.#log(name);
    if (name === SESSION_DELETED) {
      const numero = readNumero(payload);
      return numero === undefined ? this.#log(name) : { type: 'deleted', numero };
    }
    for (const type of ['details', 'code'] as const) {
      const prefix = eventName(type, '');
      if (!name.startsWith(prefix)) continue;
      const numero = toNumero(name.slice(prefix.length));
      if (numero === undefined) return this.#log(prefix);
      if (type === 'details') {
        return payload instanceof Object
          ? { type, numero, change: this.#change(payload) }
          : this.#log(prefix);
      }
      const pairing = payload === null ? undefined : this.#pairing(payload);
      return payload === null || pairing ? { type, numero, pairing } : this.#log(prefix);
    }
    return undefined;
  }

  /** The details of an item of the list. */
  details(item: unknown): Details {
    return keepDetails(NO_DETAILS, this.#change(item));
  }

  /**
   * The label and the group that a session has now.
   * @throws {RequestError} when the answer is no object.
   */
  naming({ body }: Answer): DetailsChange {
    const answer = parseJson(body);
    if (!(answer instanceof Object)) throw notUnderstood();
    const { label, group } = this.#change(answer);
    return { label, group };
  }

  /** @throws {RequestError} when the answer is no code. */
  pairing({ body }: Answer): Pairing {
    const pairing = this.#pairing(parseJson(body));
    if (!pairing) throw notUnderstood();
    return pairing;
  }

  /**
   * A relative URL counts from where the answer came from: a server behind a proxy may not know its own address.
   * @throws {RequestError} when the answer is no link.
   */
  link({ body, url: base }: Answer): SentLink {
    const answer = parseJson(body);
    const written = readField(answer, 'url');
    const url = typeof written === 'string' ? URL.parse(written, base) : null;
    const expires = this.#moment(answer, 'expires');
    // It is opened with a click: no script may hide in it. No real link is longer.
    if (!url || !/^https?:.{1,2000}$/.test(url.href) || expires === undefined) throw notUnderstood();
    return { url: url.href, expires };
  }

  /**
   * A page of a history.
   * @throws {RequestError} when the answer is no list.
   */
  history({ body }: Answer): PastPage {
    const answer = parseJson(body);
    if (!Array.isArray(answer)) throw notUnderstood();
    const entries = answer
      .slice(0, MOST_ENTRIES)
      .flatMap((item: unknown): PastEntry[] => {
        const at = readMoment(item, 'at');
        const event = readText(item, 'event');
        const state = readText(item, 'state');
        if (at === undefined || event === undefined || state === undefined) {
          this.#log('history');
          return [];
        }
        const detail = readText(item, 'detail', LONGEST_SENTENCE);
        const code = readText(item, 'code');
        return [{ at, event, state, ...(detail && { detail }), ...(code && { code }) }];
      })
      .sort((one, other) => other.at - one.at);
    return { entries, clockOffset: this.#clockOffset, isFull: answer.length >= PAGE_LENGTH };
  }

  #created(item: unknown): Push | undefined {
    const numero = readNumero(item);
    if (numero === undefined) return undefined;
    return { type: 'created', numero, session: readSession(numero, item), details: this.details(item) };
  }

  #ack(payload: unknown): Push | undefined {
    const id = toText(readField(payload, 'id'));
    const numero = toNumero(readField(payload, 'remitente'));
    const status = ACK_STATUSES.find((word) => word === readField(payload, 'status'));
    const error = readText(payload, 'reason', LONGEST_SENTENCE);
    if (id === undefined || numero === undefined || !status) return undefined;
    return { type: 'ack', numero, id, status, ...(error && { error }) };
  }

  #pairing(value: unknown): Pairing | undefined {
    const written = readField(value, 'code');
    const code = typeof written === 'string' ? written.replace(/[\s-]/g, '') : '';
    const expires = this.#moment(value, 'expires');
    return /^[A-Za-z0-9]{8}$/.test(code) && expires !== undefined ? { code, expires } : undefined;
  }

  /** The details that a value has; null is one that went. */
  #change(value: unknown): DetailsChange {
    const change: Draft = {};
    const read = <Name extends keyof Details>(
      name: Name,
      parse: (field: unknown) => Details[Name] | undefined,
    ): void => {
      const field = readField(value, name);
      if (field === undefined) return;
      const parsed = field === null ? undefined : parse(field);
      if (field === null || parsed !== undefined) change[name] = parsed;
      else this.#log(name);
    };
    for (const name of ['name', 'label', 'group'] as const) read(name, () => readText(value, name));
    for (const name of ['since', 'codeExpires'] as const) read(name, () => this.#moment(value, name));
    read('reason', (field) => {
      const code = readText(field, 'code');
      const words = readText(field, 'text', LONGEST_SENTENCE);
      return code !== undefined && words ? { code, text: words } : undefined;
    });
    read('link', (field) => {
      const expires = this.#moment(field, 'expires');
      const opened = this.#moment(field, 'opened');
      return expires === undefined ? undefined : { expires, ...(opened !== undefined && { opened }) };
    });
    return change;
  }

  /** A moment of the server, in milliseconds since 1970 by the browser's clock. */
  #moment(owner: unknown, field: string): number | undefined {
    const moment = readMoment(owner, field);
    return moment === undefined ? undefined : moment - this.#clockOffset;
  }

  #log(kind: string): undefined {
    if (this.#logged.has(kind)) return;
    this.#logged.add(kind);
    log(`the server's ${kind} is invalid; this is logged once`);
  }
}

/** A moment of the server, in milliseconds since 1970 by its own clock. */
function readMoment(owner: unknown, field: string): number | undefined {
  const value = readField(owner, field);
  return typeof value === 'number' && value >= 0 && value < LAST_MOMENT ? value : undefined;
}

/** The id of a message that was sent, if the answer has one: the contract has no answer. */
export function parseSent(body: string): string | undefined {
  try {
    return toText(readField(JSON.parse(body), 'id'));
  } catch {
    return undefined;
  }
}

const notUnderstood = () => new RequestError('answer', texts.notJson);
