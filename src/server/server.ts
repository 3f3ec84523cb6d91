/** The calls and the connection of spec §7. Only this folder knows URLs and payloads. */

import type { Push, Session } from '../session/session.ts';
import type { Credentials } from '../settings.ts';
import * as texts from '../texts.ts';
import type { WireMessage } from '../wire.ts';
import { keepConnected, LONGEST_DELAY_MS } from './connection.ts';
import { RequestError, request } from './http.ts';
import { OpenCalls } from './open-calls.ts';
import { parseList, parsePush, parseStarted } from './parse.ts';
import { CONNECT_TIMEOUT_MS } from './transports.ts';

/** A token, or a function that is called for one at each request and each connection. */
export type Token = string | (() => string | Promise<string>);

/** Where the server is, and how the page signs in. */
interface ServerAddress {
  /** Base of the HTTP calls, relative to the page or absolute, such as `/api`. */
  readonly apiBase: string;
  /** Origin of the Socket.IO server, such as `https://gateway.example`. */
  readonly socketOrigin: string;
  /** Path of the Socket.IO server, such as `/socket.io/`. */
  readonly socketPath: string;
  readonly credentials: Credentials;
  /** Called at each request and each connection. */
  readonly token: () => Token | undefined;
}

/** Receives what the server pushes. */
export interface ServerListener {
  push(push: Push): void;
  /** Called after each attempt to connect, and when the connection is lost. */
  connection(connected: boolean): void;
}

/** A test message. */
export interface TestMessage {
  /** The numero of the session that sends it. */
  readonly from: string;
  /** The number that it goes to: as the operator typed it, until the store has cleaned it. */
  readonly to: string;
  readonly text: string;
}

export type Server = ReturnType<typeof createServer>;

export function createServer({ apiBase, socketOrigin, socketPath, credentials, token }: ServerAddress) {
  const base = apiBase.replace(/\/+$/, '');
  const openCalls = new OpenCalls();

  function call(path: string, init: RequestInit = {}): Promise<string> {
    return openCalls.make(init.signal, async (signal) => {
      const headers = new Headers(init.headers);
      const bearer = await askToken(token());
      if (bearer) headers.set('Authorization', `Bearer ${bearer}`);
      return request(base + path, { ...init, headers, credentials, signal });
    });
  }

  return {
    /** @throws {RequestError} also when the answer is not a list. */
    async list(signal: AbortSignal): Promise<Session[]> {
      return parseList(await call('/session/sessions', { signal }));
    },

    /** Starts or restarts a session; returns the numero that the server answers. */
    async start(numero: string, signal: AbortSignal): Promise<string> {
      return parseStarted(await call(`/session/levanta/${segment(numero)}`, { signal })) ?? numero;
    },

    async delete(numero: string, signal: AbortSignal): Promise<void> {
      try {
        await call(`/session/${segment(numero)}`, { method: 'DELETE', signal });
      } catch (error) {
        // Another panel or the server itself has deleted it.
        if (!(error instanceof RequestError && error.status === 404)) throw error;
      }
    },

    async send({ from, to, text }: TestMessage): Promise<void> {
      const message: WireMessage = {
        mensaje: { cuerpo: text, contactos: [Number(to)] },
        remitente: from,
        autorespuesta: false,
        ids: [1],
        encolar: false,
      };
      await call('/message', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(message),
      });
    },

    /** Listens to the server; returns the function that stops it. */
    connect(listener: ServerListener): () => void {
      let abandoning: ReturnType<typeof setTimeout> | undefined;
      const leave = keepConnected(
        {
          origin: socketOrigin,
          path: socketPath,
          withCredentials: credentials === 'include',
          auth: () =>
            askToken(token()).then(
              (bearer) => (bearer ? { token: bearer } : {}),
              // The server refuses a socket without one, and is asked again; the HTTP calls report the failure.
              () => ({}),
            ),
        },
        {
          connected() {
            clearTimeout(abandoning);
            listener.connection(true);
          },
          // Browsers have six connections per origin on HTTP/1.1. Calls that hang would keep them all, and the
          // polling that a new connection begins with could not start.
          ended(end) {
            if (end === 'lost') {
              abandoning = setTimeout(() => openCalls.abandon(LONGEST_DELAY_MS), LONGEST_DELAY_MS);
            }
            if (end === 'unanswered') openCalls.abandon(CONNECT_TIMEOUT_MS);
            listener.connection(false);
          },
          event(name, args) {
            // Socket.IO's protocol allows numbers as names; the client's types do not say so.
            const push = typeof name === 'string' && parsePush(name, args);
            if (push) listener.push(push);
          },
        },
      );
      return () => {
        clearTimeout(abandoning);
        leave();
      };
    },
  };
}

/** @throws {RequestError} when the page's function fails, or returns what no header can carry (RFC 9110 §5.5). */
async function askToken(token: Token | undefined): Promise<string | undefined> {
  try {
    const given = (typeof token === 'function' ? await token() : token)?.trim();
    if (given && (typeof given !== 'string' || /[^ -~]/.test(given)))
      throw new Error('The token fits no header');
    return given;
  } catch (cause) {
    throw new RequestError('token', texts.noToken, { cause });
  }
}

/**
 * A numero as one segment of a path.
 * @throws {RequestError} where a URL cannot hold it: segments of dots are removed even when encoded.
 */
function segment(numero: string): string {
  if (/^\.{1,2}$/.test(numero) || !numero.isWellFormed())
    throw new RequestError('number', texts.impossibleNumero(numero));
  return encodeURIComponent(numero);
}
