/** Validates what the server sends: docs/contract.md leaves its shape open. Codes are never logged. */
import { log } from '../log.ts';
import { PAGE_LENGTH, type PastPage } from '../session/history.ts';
import {
  type Description,
  type Details,
  type DetailsChange,
  keepDetails,
  NO_DETAILS,
  type Push,
  type Session,
} from '../session/session.ts';
import * as texts from '../texts/sentences.ts';
import type { Translate } from '../texts/translate.ts';
import {
  ACK_STATUSES,
  CHANGE_STATE,
  eventName,
  MESSAGE_ACK,
  SESSION_CREATED,
  SESSION_DELETED,
  type WireHistoryEntry,
  type WireSentLink,
} from '../wire.ts';
import { RequestError } from './errors.ts';
import { LONGEST_SENTENCE, readField, readText, toNumero, toText } from './fields.ts';

/** Twice as many as the panel is measured with. */
export const MOST_SESSIONS = 10_000;
/** Longer than any code that can be drawn, which has 3057 digits at most (ISO/IEC 18004, level H). */
const LONGEST_CODE = 4_000;
/** The most entries of one answer that are used, as many as a call may ask for. */
const MOST_ENTRIES = 200;
/** Milliseconds by which the clocks may differ unnoticed: the header `Date` has whole seconds, and arrives late. */
const TOLERANCE_MS = 2_000;
/** `Date` ends at 8.64e15: a moment stays valid when an accepted offset is added. */
const LAST_MOMENT = 8e15;
const LARGEST_OFFSET_MS = 6e14;

/** An answer over HTTP, as far as it is used. */
export interface Answer {
  readonly body: unknown;
  /** The address that answered, as an absolute URL. */
  readonly url: string;
  /** Milliseconds by which the server's clock is ahead of the browser's; NaN where the page may not read its `Date`. */
  readonly clockOffset: number;
}

export type Parser = ReturnType<typeof createParser>;

/**
 * Parses what a server sends. What is invalid counts as absent, and is logged once for each kind; an answer without what the
 * call is for throws a {@link RequestError}.
 */
export function createParser(t: Translate) {
  /** How far the server's clock is ahead of the browser's, in milliseconds. */
  let clockOffset = 0;
  const logged = new Set<string>();

  function logOnce(kind: string, name = `the server's ${kind}`): undefined {
    if (!logged.has(kind)) log(`${name} is invalid; this is logged once`);
    logged.add(kind);
  }

  /** Reads a moment of the server, in milliseconds since 1970 by the browser's clock. */
  function toMoment(owner: unknown, field: string): number | undefined {
    const moment = readAmount(owner, field);
    return moment === undefined ? undefined : moment - clockOffset;
  }

  function toPairing(value: unknown) {
    const code = readText(value, 'code')?.replace(/[ -]/g, '') ?? '';
    const expires = toMoment(value, 'expires');
    return /^[A-Za-z0-9]{8}$/.test(code) && expires !== undefined ? { code, expires } : undefined;
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
      else logOnce(name);
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
    read('quota', (field) => {
      const used = readAmount(field, 'used');
      const total = readAmount(field, 'total');
      return used === undefined || total === undefined ? undefined : { used, total };
    });
    read('stability', (field) => {
      const [days, drops, away] = ['days', 'drops', 'away'].map((name) => readAmount(field, name));
      if (days === undefined || drops === undefined || away === undefined) return undefined;
      return { days, drops, away };
    });
    return change;
  }

  /** By the event's name, up to the numero where that is a part of it. */
  const pushes: Readonly<Record<string, (numero: string, payload: unknown) => Push | undefined>> = {
    [eventName('disconnected', '')]: (numero) => ({ type: 'disconnected', numero }),
    [eventName('authenticated', '')]: (numero) => ({ type: 'authenticated', numero }),
    [eventName('qr_timeout', '')]: (numero) => ({ type: 'qr_timeout', numero }),
    [eventName('ready', '')]: (numero) => ({ type: 'ready', numero }),
    [eventName('qr', '')]: (numero, payload) => {
      const qrCode = toText(payload, LONGEST_CODE);
      return qrCode ? { type: 'qr', numero, qrCode } : undefined;
    },
    [CHANGE_STATE]: (numero, payload) => {
      const state = toText(readField(payload, 'state'));
      return state === undefined ? undefined : { type: 'change_state', numero, state };
    },
    [SESSION_CREATED]: (numero, payload) => {
      const session = readSession(payload);
      return session && { type: 'created', numero, session, details: details(payload) };
    },
    [SESSION_DELETED]: (numero, payload) => {
      return { type: 'deleted', numero, notice: readText(payload, 'notice', LONGEST_SENTENCE) };
    },
    [eventName('details', '')]: (numero, payload) =>
      payload instanceof Object ? { type: 'details', numero, change: toChange(payload) } : undefined,
    [eventName('passkey', '')]: (numero, passkey) => {
      return { type: 'details', numero, change: toChange({ passkey }) };
    },
    [eventName('code', '')]: (numero, payload) => {
      const pairing = toPairing(payload);
      return pairing || payload === null ? { type: 'code', numero, pairing } : undefined;
    },
    [MESSAGE_ACK]: (numero, payload) => {
      const id = toText(readField(payload, 'id'));
      const status = ACK_STATUSES.find((word) => word === readField(payload, 'status'));
      const error = readText(payload, 'reason', LONGEST_SENTENCE) || undefined;
      return id === undefined || !status ? undefined : { type: 'ack', numero, id, status, error };
    },
  };

  /** Reads the words of an announcement, which may be unknown ones. */
  function toWords(payload: unknown, field: string): ReadonlySet<string> {
    const value = readField(payload, field);
    const words: unknown[] = Array.isArray(value) ? value : (logOnce(field) ?? []);
    return new Set(words.filter((word) => typeof word === 'string'));
  }

  /** @throws {RequestError} when there is no answer that the panel understands. */
  function understood<Value>(answer: Value | undefined): Value {
    if (answer === undefined) throw new RequestError(t(texts.notJson));
    return answer;
  }

  const details = (item: unknown): Details => keepDetails(NO_DETAILS, toChange(item));

  return {
    /** Reads the list, and how far the server's clock is ahead; NaN is ignored. */
    list({ body, clockOffset: offset }: Answer): Description[] {
      // Otherwise moments would change with each answer.
      const isNews = Math.abs(offset - clockOffset) > TOLERANCE_MS;
      if (isNews && Math.abs(offset) < LARGEST_OFFSET_MS) clockOffset = offset;
      const isList = Array.isArray(body) && body.length <= MOST_SESSIONS;
      return understood(isList ? body : undefined).flatMap((item: unknown) => {
        const session = readSession(item);
        return session ? { session, details: details(item) } : (logOnce('numero') ?? []);
      });
    },

    extensions: ([payload]: unknown[]) => toWords(payload, 'extensions'),

    /** Reads by what a server tells people who do not look at a panel, from the same announcement. */
    notifies: ([payload]: unknown[]) => readText(payload, 'notifies') || undefined,

    /** Reads what the user may do: nothing, where that is invalid. */
    permissions: ([payload]: unknown[]) => toWords(payload, 'actions'),

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
      return (numero && read(numero, payload)) || logOnce(event, name);
    },

    /** Reads the names and the proxy that a session has now. */
    naming({ body }: Answer): DetailsChange {
      const { label, group, proxy, exit } = toChange(understood(body instanceof Object ? body : undefined));
      return { label, group, proxy, exit };
    },

    /** Returns the numero of the session that was started, if the answer has one. */
    started: ({ body }: Answer): string | undefined => toNumero(readField(understood(body), 'numero')),

    pairing: ({ body }: Answer) => understood(toPairing(body)),

    /** A relative URL counts from the address that answered: a server behind a proxy may not know its own. */
    link: ({ body, url: base }: Answer): WireSentLink => ({
      ...understood(toLink(body)),
      url: understood(toUrl(body, base)),
    }),

    history({ body }: Answer): PastPage {
      const answer: unknown[] = understood(Array.isArray(body) ? body : undefined);
      const entries = answer
        .slice(0, MOST_ENTRIES)
        .flatMap((item): WireHistoryEntry[] => {
          const at = readAmount(item, 'at');
          const event = readText(item, 'event');
          const state = readText(item, 'state');
          if (at === undefined || event === undefined || state === undefined) return logOnce('history') ?? [];
          const detail = readText(item, 'detail', LONGEST_SENTENCE);
          return [{ at, event, state, detail, code: readText(item, 'code'), by: readText(item, 'by') }];
        })
        .sort((one, other) => other.at - one.at);
      return { entries, clockOffset, complete: answer.length < PAGE_LENGTH };
    },
  };
}

function readSession(item: unknown): Session | undefined {
  const numero = toNumero(readField(item, 'numero'));
  if (numero === undefined) return undefined;
  const qrCode = toText(readField(item, 'qrCode'), LONGEST_CODE);
  const state = toText(readField(item, 'state')) ?? '';
  return { numero, state, ...(qrCode && { qrCode }), waiting: readField(item, 'waiting') === true };
}

/** Reads the address of a web page. It is opened with a click: no script may hide in it. No real one is longer. */
function toUrl(owner: unknown, base?: string): string | undefined {
  const written = readField(owner, 'url');
  const url = typeof written === 'string' ? URL.parse(written, base) : null;
  return url?.href.match(/^https?:.{1,2000}$/)?.[0];
}

/** Reads an amount, such as a moment of the server: milliseconds since 1970 by its own clock. */
function readAmount(owner: unknown, field: string): number | undefined {
  const value = readField(owner, field);
  return typeof value === 'number' && value >= 0 && value < LAST_MOMENT ? value : undefined;
}
