/** Reads what a server tells of a session: an item of its list, and a push. What is invalid counts as absent. */
import {
  type Description,
  type Details,
  type DetailsChange,
  keepDetails,
  NO_DETAILS,
  type Push,
} from '../session/session.ts';
import { CHANGE_STATE, MESSAGE_ACK, SESSION_CREATED, SESSION_DELETED } from '../wire.ts';
import { LONGEST_SENTENCE, readAmount, readField, readText, toNumero, toText, toUrl } from './fields.ts';

/** Longer than any code that can be drawn, which has 3057 digits at most (ISO/IEC 18004, level H). */
const LONGEST_CODE = 4_000;

/** By the event's name, up to the numero where that is a part of it. */
export type PushReaders = Readonly<Record<string, (numero: string, payload: unknown) => Push | undefined>>;

/** Reads amounts that only count together. */
function amounts<Name extends string>(owner: unknown, ...names: Name[]): Record<Name, number> | undefined {
  const read = names.map((name) => [name, readAmount(owner, name)] as const);
  // `Object.fromEntries` loses that none is undefined.
  return read.some(([, amount]) => amount === undefined)
    ? undefined
    : (Object.fromEntries(read) as Record<Name, number>);
}

/**
 * Creates what reads the descriptions of one server.
 *
 * @param report - is called with each kind that is invalid
 * @param clockOffset - returns how far the server's clock is ahead of the browser's, in milliseconds
 * @param more - reads other pushes
 */
export function createReader(
  report: (kind: string, name?: string) => undefined,
  clockOffset: () => number,
  more?: PushReaders,
) {
  /** Reads a moment of the server, in milliseconds since 1970 by the browser's clock. */
  function toMoment(owner: unknown, field: string): number | undefined {
    const moment = readAmount(owner, field);
    return moment === undefined ? undefined : moment - clockOffset();
  }

  function toRestriction(value: unknown) {
    const text = readText(value, 'text', LONGEST_SENTENCE);
    return text ? { text, until: toMoment(value, 'until') } : undefined;
  }

  /** Without an id, nobody could tell it from another one. */
  function toLink(value: unknown) {
    const id = readText(value, 'id');
    const expires = toMoment(value, 'expires');
    return id && expires !== undefined ? { id, expires, opened: toMoment(value, 'opened') } : undefined;
  }

  /** Reads the details that a value has; null is one that was removed. */
  function toChange(value: unknown): DetailsChange {
    const change: { -readonly [Name in keyof DetailsChange]: DetailsChange[Name] } = {};
    const read = <Name extends keyof Details>(name: Name, parse: (field: unknown) => Details[Name]): void => {
      const field = readField(value, name);
      if (field === undefined) return;
      const parsed = parse(field);
      if (parsed !== undefined || field === null) change[name] = parsed;
      else report(name);
    };
    for (const name of ['name', 'label', 'group', 'by', 'proxy', 'exit'] as const)
      read(name, () => readText(value, name));
    for (const name of ['since', 'codeExpires', 'lastSignal'] as const)
      read(name, () => toMoment(value, name));
    read('reason', (field) => {
      const code = readText(field, 'code');
      const rest = toRestriction(field);
      return code !== undefined && rest ? { code, ...rest } : undefined;
    });
    read('restricted', toRestriction);
    read('link', toLink);
    read('passkey', (field) => {
      const step = readText(field, 'step');
      const text = readText(field, 'text', LONGEST_SENTENCE);
      const url = toUrl(field);
      return step && text ? { step, text, url } : undefined;
    });
    read('quota', (field) => amounts(field, 'used', 'total'));
    read('stability', (field) => amounts(field, 'days', 'drops', 'away'));
    return change;
  }

  const pushes: PushReaders = {
    'session:disconnected:': (numero) => ({ type: 'disconnected', numero }),
    'session:authenticated:': (numero) => ({ type: 'authenticated', numero }),
    'session:qr_timeout:': (numero) => ({ type: 'qr_timeout', numero }),
    'session:ready:': (numero) => ({ type: 'ready', numero }),
    ...more,
    'session:qr:': (numero, payload) => {
      const qrCode = toText(payload, LONGEST_CODE);
      return qrCode ? { type: 'qr', numero, qrCode } : undefined;
    },
    [CHANGE_STATE]: (numero, payload) => {
      const state = toText(readField(payload, 'state'));
      return state === undefined ? undefined : { type: 'change_state', numero, state };
    },
    [SESSION_CREATED]: (numero, payload) => ({ type: 'created', numero, ...describe(numero, payload) }),
    [SESSION_DELETED]: (numero, payload) => {
      return { type: 'deleted', numero, notice: readText(payload, 'notice', LONGEST_SENTENCE) };
    },
    'session:details:': (numero, payload) =>
      payload instanceof Object ? { type: 'details', numero, change: toChange(payload) } : undefined,
    'session:passkey:': (numero, passkey) => {
      return { type: 'details', numero, change: toChange({ passkey }) };
    },
  };

  /** Reads what an item says beside its numero. */
  function describe(numero: string, item: unknown): Description {
    const qrCode = toText(readField(item, 'qrCode'), LONGEST_CODE);
    const state = toText(readField(item, 'state')) ?? '';
    const waiting = readField(item, 'waiting') === true;
    const session = { numero, state, ...(qrCode && { qrCode }), waiting };
    return { session, details: keepDetails(NO_DETAILS, toChange(item)) };
  }

  return {
    change: toChange,
    item: describe,
    link: toLink,
    time: toMoment,

    /** Reads an item of the list; undefined where it has no numero. */
    session(item: unknown): Description | undefined {
      const numero = toNumero(readField(item, 'numero'));
      return numero === undefined ? undefined : describe(numero, item);
    },

    /** Reads a push by its event's name; undefined for another event, or where it is invalid. */
    push(name: string, [first, second]: unknown[]): Push | undefined {
      const prefix = name.match(/^session:\w+:/)?.[0];
      const event = prefix ?? name;
      const read = Object.hasOwn(pushes, event) ? pushes[event] : undefined;
      if (!read) return undefined;
      // Servers send `{numero, state}` or `(numero, state)`: the contract leaves it open.
      const isSplit = event === CHANGE_STATE && typeof first !== 'object';
      const payload = isSplit ? { numero: first, state: second } : first;
      const field = event === MESSAGE_ACK ? 'remitente' : 'numero';
      const numero = toNumero(prefix ? name.slice(prefix.length) : readField(payload, field));
      return (numero && read(numero, payload)) || report(event, name);
    },
  };
}
