/** The calls and the connection of docs/contract.md. Only this folder knows URLs and payloads. */

import { PAGE_LENGTH, type PastPage } from '../session/history.ts';
import type { DetailsChange, ListedSession, Pairing, Push, Renaming } from '../session/session.ts';
import type { ServerSettings } from '../settings.ts';
import * as texts from '../texts/sentences.ts';
import type { Translate } from '../texts/translate.ts';
import { SERVER_EXTENSIONS, SERVER_PERMISSIONS, type WireMessage } from '../wire.ts';
import { type ConnectionListener, keepConnected } from './connection.ts';
import { type Answer, factsOf, RequestError, request, sentenceIn } from './http.ts';
import { createParser, parseSent, type SentLink } from './parse.ts';

/** A token, or a function that returns one and is called at each request and each connection. */
export type Token = string | (() => string | Promise<string>);

interface ServerAddress extends Readonly<ServerSettings> {
  readonly token: () => Token | undefined;
  /** For the messages of errors. */
  readonly t: Translate;
}

export interface ServerListener extends Omit<ConnectionListener, 'event'> {
  push(push: Push): void;
  /** The server has announced what it can do beside the contract, and by what it tells people, if it does. */
  extensions(words: ReadonlySet<string>, notifies?: string): void;
  permissions(words: ReadonlySet<string>): void;
}

export interface TestMessage {
  /** The numero of the session that sends it. */
  readonly from: string;
  /** The number that it goes to, as the operator typed it. */
  readonly to: string;
  readonly text: string;
}

const LIST = '/session/sessions';

export type Server = ReturnType<typeof createServer>;

export function createServer({ apiBase, socketOrigin, socketPath, credentials, token, t }: ServerAddress) {
  const base = apiBase.replace(/\/+$/, '');
  const parser = createParser(t);

  /** @throws {RequestError} when the page's function fails, or returns what no header can carry (RFC 9110 §5.5). */
  async function askToken(): Promise<string | undefined> {
    try {
      const given = token();
      const bearer = (typeof given === 'function' ? await given() : given)?.trim();
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

  async function call(path: string, signal: AbortSignal, method = 'GET', body?: object): Promise<Answer> {
    const bearer = await askToken();
    const headers = {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(bearer ? { Authorization: `Bearer ${bearer}` } : {}),
    };
    return request(
      base + path,
      base + LIST,
      t,
      { headers, credentials, signal },
      {
        method,
        // As it is: pages of old give arrays a toJSON (Prototype 1.6).
        body:
          body &&
          JSON.stringify(body, function (this: Record<string, unknown>, key) {
            return this[key];
          }),
      },
    );
  }

  async function ask(numero: string, path: string, signal: AbortSignal, method?: string, body?: object) {
    return call(`/session/${segment(numero)}${path}`, signal, method, body);
  }

  return {
    /** @throws {RequestError} also when the answer is not a list. */
    list: (signal: AbortSignal): Promise<ListedSession[]> => call(LIST, signal).then(parser.list),

    /** Returns the numero that the server answers. */
    async start(numero: string, signal: AbortSignal): Promise<string> {
      const answer = await call(`/session/levanta/${segment(numero)}`, signal);
      return parser.started(answer) ?? numero;
    },

    /** Returns the server's notice on that, if there is one. */
    async delete(numero: string, signal: AbortSignal): Promise<string | undefined> {
      try {
        const { body } = await ask(numero, '', signal, 'DELETE');
        return sentenceIn(body, 'notice');
      } catch (error) {
        // Another panel or the server itself has deleted it.
        if (factsOf(error).status === 404) return undefined;
        throw error;
      }
    },

    send({ from, to, text }: TestMessage, signal: AbortSignal): Promise<string | undefined> {
      const message: WireMessage = {
        mensaje: { cuerpo: text, contactos: [Number(to)] },
        remitente: from,
        autorespuesta: false,
        ids: [1],
        encolar: false,
      };
      return call('/message', signal, 'POST', message).then(parseSent);
    },

    /** Returns what names and proxy are afterwards. */
    rename: (numero: string, naming: Renaming, signal: AbortSignal): Promise<DetailsChange> =>
      ask(numero, '/details', signal, 'PUT', naming).then(parser.naming),

    /** Returns the newest page of entries, or the page before a moment of the server's clock. */
    history(numero: string, before: number | undefined, signal: AbortSignal): Promise<PastPage> {
      const from = before === undefined ? '' : `&before=${before}`;
      return ask(numero, `/history?limit=${PAGE_LENGTH}${from}`, signal).then(parser.history);
    },

    unlink: (numero: string, signal: AbortSignal): Promise<unknown> => ask(numero, '/unlink', signal, 'POST'),

    confirm: (numero: string, signal: AbortSignal): Promise<unknown> =>
      ask(numero, '/passkey', signal, 'POST'),

    pair: (numero: string, signal: AbortSignal): Promise<Pairing> =>
      ask(numero, '/pairing', signal, 'POST').then(parser.pairing),

    createLink: (numero: string, signal: AbortSignal): Promise<SentLink> =>
      ask(numero, '/link', signal, 'POST').then(parser.link),

    revokeLink: (numero: string, signal: AbortSignal): Promise<unknown> =>
      ask(numero, '/link', signal, 'DELETE'),

    connect: ({ push: receive, extensions, permissions, ...listener }: ServerListener): (() => void) =>
      keepConnected(
        {
          origin: socketOrigin,
          path: socketPath,
          withCredentials: credentials === 'include',
          auth: () =>
            askToken().then(
              (bearer) => (bearer ? { token: bearer } : {}),
              // The server refuses a socket without a token, and the panel tries again; the HTTP calls report the failure.
              () => ({}),
            ),
        },
        {
          ...listener,
          event(name, args) {
            // Socket.IO's protocol allows numbers as names; the client's types do not say so.
            if (typeof name !== 'string') return;
            if (name === SERVER_EXTENSIONS) return extensions(parser.extensions(args), parser.notifies(args));
            if (name === SERVER_PERMISSIONS) return permissions(parser.permissions(args));
            const push = parser.push(name, args);
            if (push) receive(push);
          },
        },
      ),
  };
}
