/** The calls and the connection of spec §7. With `parse.ts` and `wire.ts`, all that knows what they look like. */
import { io } from 'socket.io-client';
import { RequestError, request } from './http.ts';
import { parseList, parsePush, parseStarted } from './parse.ts';
import type { Push, Session } from './sessions.ts';
import type { Credentials } from './settings.ts';
import { texts } from './texts.ts';
import type { WireMessage } from './wire.ts';

/** What a page gives for the server to know it by: a token, or a function that is asked for one each time. */
export type Token = string | (() => string | Promise<string>);

/** Where the server is, and how it is to know the page. */
export interface ServerAddress {
  /** Base of the HTTP calls, relative to the page or absolute, such as `/api`. */
  readonly apiBase: string;
  /** Origin of the Socket.IO server, such as `https://gateway.example`. */
  readonly socketOrigin: string;
  readonly credentials: Credentials;
  /** Asked at each request and at each connection. */
  readonly token: () => Token | undefined;
}

/** Who wants to know what the server says without being asked. */
export interface ServerListener {
  push(push: Push): void;
  /** After each attempt to connect, and when the connection is lost. */
  connection(connected: boolean): void;
}

/** A test message as the operator typed it. */
export interface TestMessage {
  /** The numero of the session that sends it. */
  readonly from: string;
  /** Digits only. */
  readonly to: string;
  readonly text: string;
}

export type Server = ReturnType<typeof createServer>;

export function createServer({ apiBase, socketOrigin, credentials, token }: ServerAddress) {
  const base = apiBase.replace(/\/+$/, '');

  async function call(path: string, init: RequestInit = {}): Promise<string> {
    const headers = new Headers(init.headers);
    const bearer = await askToken(token());
    if (bearer) headers.set('Authorization', `Bearer ${bearer}`);
    return request(base + path, { ...init, headers, credentials });
  }

  return {
    /** @throws {RequestError} also when the answer is no list. */
    async list(signal: AbortSignal): Promise<Session[]> {
      return parseList(await call('/session/sessions', { signal }));
    },

    /** Starts or restarts a session; gives the numero that the server says it has. */
    async start(numero: string): Promise<string> {
      return parseStarted(await call(`/session/levanta/${segment(numero)}`)) ?? numero;
    },

    async delete(numero: string, signal: AbortSignal): Promise<void> {
      try {
        await call(`/session/${segment(numero)}`, { method: 'DELETE', signal });
      } catch (error) {
        // What is not there has been deleted, by another panel or by the server itself.
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

    /** Listens to the server until the function that it gives is called. */
    connect(listener: ServerListener): () => void {
      // Spec §7 and §9: all other constants are the client's defaults, which would try WebTransport as well.
      const socket = io(socketOrigin, {
        transports: ['polling', 'websocket'],
        // A shared manager would outlive the panel.
        forceNew: true,
        withCredentials: credentials === 'include',
        auth: (give) => {
          askToken(token()).then(
            (bearer) => give(bearer ? { token: bearer } : {}),
            // The server refuses what comes without one, and is asked again; the HTTP calls tell why.
            () => give({}),
          );
        },
      });
      let retry: ReturnType<typeof setTimeout> | undefined;
      const askAgain = () => {
        // The client gives up where the server itself said no: when it disconnects us or refuses us.
        if (!socket.active) retry = setTimeout(() => socket.connect(), REFUSED_RETRY_MS);
      };
      socket.on('connect', () => listener.connection(true));
      socket.on('disconnect', () => {
        listener.connection(false);
        askAgain();
      });
      socket.on('connect_error', () => {
        listener.connection(false);
        askAgain();
      });
      // One listener for all, instead of five for each numero: no bookkeeping, and no code is missed.
      socket.onAny((name: unknown, ...args: unknown[]) => {
        // Socket.IO's protocol lets a name be a number too, whatever the client's types say.
        const push = typeof name === 'string' && parsePush(name, args);
        if (push) listener.push(push);
      });
      return () => {
        clearTimeout(retry);
        socket.off();
        socket.offAny();
        socket.disconnect();
      };
    },
  };
}

/** Milliseconds until a server that said no is asked again: between the spec's first and last delay (§9). */
const REFUSED_RETRY_MS = 2000;

/** @throws {RequestError} when the page's function fails, or gives what no header can carry (RFC 9110 §5.5). */
async function askToken(token: Token | undefined): Promise<string | undefined> {
  try {
    const given = (typeof token === 'function' ? await token() : token)?.trim();
    if (given && /[^ -~]/.test(given)) throw new Error('The token has characters that no header can carry');
    return given;
  } catch (cause) {
    throw new RequestError(texts.noToken, undefined, { cause });
  }
}

/**
 * A numero as one segment of a path.
 * @throws {RequestError} where URLs have no way to say it: dots alone are folded away even when encoded.
 */
function segment(numero: string): string {
  if (/^\.{1,2}$/.test(numero) || !numero.isWellFormed())
    throw new RequestError(texts.impossibleNumero(numero));
  return encodeURIComponent(numero);
}
