/** Validates what the server sends: docs/contract.md leaves its shape open. Codes are never logged. */
import { log } from '../log.ts';
import { PAGE_LENGTH, type PastPage } from '../session/history.ts';
import type { Description, DetailsChange } from '../session/session.ts';
import * as texts from '../texts/sentences.ts';
import type { Translate } from '../texts/translate.ts';
import { ACK_STATUSES, MESSAGE_ACK, type WireHistoryEntry, type WireSentLink } from '../wire.ts';
import { RequestError } from './errors.ts';
import { LONGEST_SENTENCE, readAmount, readField, readText, toNumero, toText, toUrl } from './fields.ts';
import { createReader } from './read.ts';

/** Twice as many as the panel is measured with. */
export const MOST_SESSIONS = 10_000;
/** The most entries of one answer that are used, as many as a call may ask for. */
const MOST_ENTRIES = 200;
/** Milliseconds by which the clocks may differ unnoticed: the header `Date` has whole seconds, and arrives late. */
const TOLERANCE_MS = 2_000;
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

  const reader = createReader(logOnce, () => clockOffset, {
    'session:code:': (numero, payload) => {
      const pairing = toPairing(payload);
      return pairing || payload === null ? { type: 'code', numero, pairing } : undefined;
    },
    [MESSAGE_ACK]: (numero, payload) => {
      const id = toText(readField(payload, 'id'));
      const status = ACK_STATUSES.find((word) => word === readField(payload, 'status'));
      const error = readText(payload, 'reason', LONGEST_SENTENCE) || undefined;
      return id === undefined || !status ? undefined : { type: 'ack', numero, id, status, error };
    },
  });

  function toPairing(value: unknown) {
    const code = readText(value, 'code')?.replace(/[ -]/g, '') ?? '';
    const expires = reader.time(value, 'expires');
    return /^[A-Za-z0-9]{8}$/.test(code) && expires !== undefined ? { code, expires } : undefined;
  }

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

  return {
    /** Reads the list, and how far the server's clock is ahead; NaN is ignored. */
    list({ body, clockOffset: offset }: Answer): Description[] {
      // Otherwise moments would change with each answer.
      const isNews = Math.abs(offset - clockOffset) > TOLERANCE_MS;
      if (isNews && Math.abs(offset) < LARGEST_OFFSET_MS) clockOffset = offset;
      const isList = Array.isArray(body) && body.length <= MOST_SESSIONS;
      return understood(isList ? body : undefined).flatMap(
        (item: unknown) => reader.session(item) ?? logOnce('numero') ?? [],
      );
    },

    extensions: ([payload]: unknown[]) => toWords(payload, 'extensions'),

    /** Reads by what a server tells people who do not look at a panel, from the same announcement. */
    notifies: ([payload]: unknown[]) => readText(payload, 'notifies') || undefined,

    /** Reads what the user may do: nothing, where that is invalid. */
    permissions: ([payload]: unknown[]) => toWords(payload, 'actions'),

    push: reader.push,

    /** Reads the names and the proxy that a session has now. */
    naming({ body }: Answer): DetailsChange {
      const { label, group, proxy, exit } = reader.change(
        understood(body instanceof Object ? body : undefined),
      );
      return { label, group, proxy, exit };
    },

    /** Returns the numero of the session that was started, if the answer has one. */
    started: ({ body }: Answer): string | undefined => toNumero(readField(understood(body), 'numero')),

    pairing: ({ body }: Answer) => understood(toPairing(body)),

    /** A relative URL counts from the address that answered: a server behind a proxy may not know its own. */
    link: ({ body, url: base }: Answer): WireSentLink => ({
      ...understood(reader.link(body)),
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
