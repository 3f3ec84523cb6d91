/** The calls and the connection of docs/contract.md. Only this folder knows URLs and payloads. */

import { PAGE_LENGTH, type PastPage } from '../session/history.ts';
import type { Description, Push, Renaming } from '../session/session.ts';
import type { ServerSettings } from '../settings.ts';
import * as texts from '../texts/sentences.ts';
import type { Translate } from '../texts/translate.ts';
import { type Extension, SERVER_EXTENSIONS, SERVER_PERMISSIONS, type WireMessage } from '../wire.ts';
import { keepConnected, type News, type Tell } from './connection.ts';
import { factsOf, RequestError } from './errors.ts';
import { readField, readSentence, toText } from './fields.ts';
import { type Answer, createParser, type Parser } from './parse.ts';

/** What the calls take. */
export type Body = Renaming & {
  /** The number that a test message goes to, and its text. */
  readonly to?: string | undefined;
  readonly text?: string | undefined;
  /** The moment of the server's clock before which a page of the history ends. */
  readonly before?: number | undefined;
  /** Whether the link is to end. */
  readonly revoke?: boolean;
};

/** What their answers say. */
export interface Result {
  readonly list?: readonly Description[];
  /** The session that was started, where that may be another one. */
  readonly numero?: string | undefined;
  /** What to tell the operator. */
  readonly notice?: string | undefined;
  /** The id of a test message: the contract has none. */
  readonly id?: string | undefined;
  /** What a push would say of the session. */
  readonly push?: Push;
  readonly link?: ReturnType<Parser['link']>;
  readonly page?: PastPage;
}

export interface Call {
  /** Method and path, in which `*` is the numero. */
  readonly route: string;
  readonly body?: object;
  /** The extension that it belongs to. */
  readonly needs?: Extension;
  readonly read?: (answer: Answer, parser: Parser, numero: string) => Result;
}

export type CallName = keyof typeof CALLS;

const LIST = '/session/sessions';

/** The calls of docs/contract.md, by the names that `wo-error` has for them. */
export const CALLS = {
  fetch: () => ({
    route: `GET ${LIST}`,
    read: (answer, parser) => ({ list: parser.list(answer) }),
  }),
  up: () => ({
    route: 'GET /session/levanta/*',
    read: (answer, parser) => ({ numero: parser.started(answer) }),
  }),
  delete: () => ({
    route: 'DELETE /session/*',
    read: ({ body }) => ({ notice: readSentence(body, 'notice') }),
  }),
  send: ({ to, text = '' }, numero) => ({
    route: 'POST /message',
    body: {
      mensaje: { cuerpo: text, contactos: [Number(to)] },
      remitente: numero,
      autorespuesta: false,
      ids: [1],
      encolar: false,
    } satisfies WireMessage,
    read: ({ body }) => ({ id: toText(readField(body, 'id')) }),
  }),
  /** Sets names and proxy: an empty text removes one, and one that is left out stays. */
  rename: (naming) => ({
    route: 'PUT /session/*/details',
    body: naming,
    needs: 'proxy' in naming ? 'proxy' : 'label',
    read: (answer, parser, numero) => ({ push: { type: 'details', numero, change: parser.naming(answer) } }),
  }),
  unlink: () => ({ route: 'POST /session/*/unlink', needs: 'unlink' }),
  /** Requests a code to type on the phone: see `SessionRecord.pairing`. */
  pair: () => ({
    route: 'POST /session/*/pairing',
    needs: 'pairing',
    read: (answer, parser, numero) => ({ push: { type: 'code', numero, pairing: parser.pairing(answer) } }),
  }),
  /** Says that the code of a passkey is the same on the phone. */
  passkey: () => ({ route: 'POST /session/*/passkey', needs: 'passkey' }),
  /** Creates a link for the person who holds the phone, or ends the one that there is. */
  link: ({ revoke }) => ({
    route: `${revoke ? 'DELETE' : 'POST'} /session/*/link`,
    needs: 'link',
    read: (answer, parser) => (revoke ? {} : { link: parser.link(answer) }),
  }),
  history: ({ before }) => ({
    route: `GET /session/*/history?limit=${PAGE_LENGTH}${before === undefined ? '' : `&before=${before}`}`,
    needs: 'history',
    read: (answer, parser) => ({ page: parser.history(answer) }),
  }),
} satisfies Record<string, (body: Body, numero: string) => Call>;

/** The longest answer that is parsed, in characters: 400 per session for 10,000 sessions. */
const LONGEST_ANSWER = 4_000_000;

/** A token, or a function that returns one and is called at each request and each connection. */
export type Token = string | (() => string | Promise<string>);

interface ServerAddress extends Readonly<Omit<ServerSettings, 'numero'>> {
  readonly token: () => Token | undefined;
  readonly t: Translate;
}

export interface Server extends ReturnType<typeof createServer> {
  /** The only session that it tells of; undefined where it tells of all. */
  readonly numero?: string;
}

export function createServer({ apiBase, token, t, ...settings }: ServerAddress) {
  const base = apiBase.replace(/\/+$/, '');
  const parser = createParser(t);

  /** @throws {RequestError} when the page's function fails, or returns what no header can carry (RFC 9110 §5.5). */
  async function askToken(): Promise<string | undefined> {
    try {
      const given = token();
      const bearer = (typeof given === 'function' ? await given() : given)?.trim() || undefined;
      if (bearer && (typeof bearer !== 'string' || /[^ -~]/.test(bearer)))
        throw new Error('The token fits no header');
      return bearer;
    } catch (cause) {
      throw new RequestError(t(texts.noToken), { cause });
    }
  }

  /** @throws {RequestError} where a URL cannot hold it: segments of dots are removed even when encoded. */
  function segment(numero: string): string {
    if (/^\.{1,2}$/.test(numero) || !numero.isWellFormed())
      throw new RequestError(t(texts.impossibleNumero, numero), { kind: 'number' });
    return encodeURIComponent(numero);
  }

  /**
   * Sends a request and returns its answer. No cache is used: after one answer with `max-age`, or one permanent
   * redirect, a start would never reach the server again. There is no timeout.
   */
  async function request(route: string, signal: AbortSignal, body?: object): Promise<Answer> {
    const [method, path] = route.split(' ');
    const bearer = await askToken();
    const headers = {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(bearer && { Authorization: `Bearer ${bearer}` }),
    };
    const init: RequestInit = { headers, credentials: settings.credentials, signal, cache: 'no-store' };
    // As it is: pages of old give arrays a toJSON (Prototype 1.6).
    const json = JSON.stringify(body, function (this: Record<string, unknown>, key) {
      return this[key];
    });
    try {
      return await readAnswer(await fetch(base + path, { ...init, method, body: json }), t);
    } catch (cause) {
      if (cause instanceof RequestError) throw cause;
      // A redirect that cannot be followed fails like a lost line. The call itself may have had an effect: it is not repeated.
      const answer = await fetch(base + LIST, { ...init, redirect: 'manual' }).catch(() => undefined);
      if (answer?.type === 'opaqueredirect') throw new RequestError(t(texts.htmlAnswer), { cause });
      throw new RequestError(t(texts.networkError), { kind: 'network', cause });
    }
  }

  function newsIn(name: string, args: unknown[]): News | undefined {
    if (name === SERVER_EXTENSIONS)
      return { type: 'extensions', words: parser.extensions(args), notifies: parser.notifies(args) };
    if (name === SERVER_PERMISSIONS) return { type: 'permissions', words: parser.permissions(args) };
    return parser.push(name, args);
  }

  return {
    /** @throws {RequestError} also when the answer lacks what the call is for. */
    async call(name: CallName, numero: string, given: Body, signal: AbortSignal): Promise<Result> {
      const { route, body, read }: Call = CALLS[name](given, numero);
      try {
        const path = route.replace('*', () => segment(numero));
        const answer = await request(path, signal, body);
        return read?.(answer, parser, numero) ?? {};
      } catch (error) {
        // Another panel or the server itself has deleted it.
        if (name === 'delete' && factsOf(error).status === 404) return {};
        throw error;
      }
    },

    connect: (tell: Tell): (() => void) =>
      keepConnected(
        settings,
        // The server refuses a socket without a token, and the panel tries again; the HTTP calls report the failure.
        async () => ({ token: await askToken().catch(() => undefined) }),
        tell,
        newsIn,
      ),
  };
}

/**
 * @throws {RequestError} with the server's own words; also where the answer is a web page, which the sign-in of a portal
 *   sends with status 200, or a redirect to one of another origin.
 */
async function readAnswer(response: Response, t: Translate): Promise<Answer> {
  const { ok, status, headers, url } = response;
  // `Date` has whole seconds: on average, half a second has passed.
  const clockOffset = Date.parse(headers.get('date') ?? '') + 500 - Date.now();
  const text = await response.text();
  const body = text.length > LONGEST_ANSWER ? undefined : parseJson(text);
  if (!ok) {
    const serverMessage = readSentence(body, 'message') ?? (status === 401 ? t(texts.signIn) : undefined);
    const words = serverMessage ? `: ${serverMessage}` : '';
    throw new RequestError(`${t(texts.requestFailed, status)}${words}`, { status, serverMessage });
  }
  // The type alone proves nothing: Express labels any text as text/html.
  if (/^text\/html/i.test(headers.get('content-type') ?? '') && /^\s*</.test(text))
    throw new RequestError(t(texts.htmlAnswer), { status });
  return { body, url, clockOffset };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
