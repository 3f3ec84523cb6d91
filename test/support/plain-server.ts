import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server } from 'socket.io';
import type { WireSession } from '../../src/wire.ts';
import { PATIENCE } from './patience.ts';
import { stablePort } from './stable-port.ts';

/** What a browser sets by itself in a request to another origin. */
const OF_BROWSERS =
  /^(host|connection|user-agent|accept|accept-encoding|accept-language|origin|referer|pragma|cache-control|content-length|sec-.*|dnt|priority|te)$/;

const LIST = '/api/session/sessions';

/** What a server says beside the contract. */
export interface Chatter {
  /** The payloads of `server:extensions`, sent to each panel that connects. */
  readonly announcements?: readonly unknown[];
  /** Fields of each item of the list. */
  readonly details?: object;
  /** Events, sent to each panel that connects. */
  readonly pushes?: readonly (readonly [event: string, ...payload: unknown[]])[];
  /** The answer to `POST /message`. */
  readonly sent?: object;
}

/** A call that a panel made, with the headers that the panel set. */
interface PlainCall {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/**
 * A server of the contract without extensions, which records all that a panel sends. It has no phones: the test pushes.
 */
export class PlainServer {
  readonly #sessions = new Map<string, WireSession>();
  readonly #chatter: Chatter;
  readonly #http = createServer((request, response) => void this.#answer(request, response));
  // A page that stands still while it changes to a WebSocket would lose what is pushed from then on.
  readonly #io = new Server(this.#http, { cors: { origin: '*' }, upgradeTimeout: PATIENCE });
  readonly #calls: PlainCall[] = [];
  /** The packets of the panel with data, on the layer below Socket.IO. */
  readonly #packets: string[] = [];
  #list = Promise.resolve();
  readonly #letGo: (() => void)[] = [];

  constructor(sessions: readonly WireSession[], chatter: Chatter) {
    for (const session of sessions) this.#sessions.set(session.numero, session);
    this.#chatter = chatter;
    this.#io.engine.on('connection', (connection) => {
      this.#packets.push('open');
      connection.on('packet', ({ type, data }: { type: string; data?: unknown }) => {
        if (type !== 'ping' && type !== 'pong') this.#packets.push(`${type} ${data}`);
      });
    });
    this.#io.on('connection', (socket) => {
      for (const payload of chatter.announcements ?? []) socket.emit('server:extensions', payload);
      for (const push of chatter.pushes ?? []) socket.emit(...push);
    });
  }

  async listen(): Promise<string> {
    const port = await stablePort();
    await new Promise<void>((resolve) => this.#http.listen(port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    this.holdList(false);
    const closed = this.#io.close();
    // A browser's spare connection, on which it never sent a request, does not count as idle: it would hold this back.
    this.#http.closeAllConnections();
    await closed;
  }

  /** What the panel has sent. */
  traffic(): { calls: readonly PlainCall[]; packets: readonly string[] } {
    return { calls: this.#calls, packets: this.#packets };
  }

  /** Sets what the list says of a session, and pushes. */
  push(session: WireSession | undefined, event: string, ...payload: unknown[]): void {
    if (session) this.#sessions.set(session.numero, session);
    this.#io.emit(event, ...payload);
  }

  /** Sets what the list says of some sessions, and pushes several events in a row. */
  pushAll(pushes: NonNullable<Chatter['pushes']>, sessions: readonly WireSession[] = []): void {
    for (const session of sessions) this.#sessions.set(session.numero, session);
    for (const push of pushes) this.#io.emit(...push);
  }

  /** Keeps the answers to requests for the list, or lets them go. */
  holdList(held: boolean): void {
    if (held) this.#list = new Promise((resolve) => this.#letGo.push(resolve));
    else for (const letGo of this.#letGo.splice(0)) letGo();
  }

  socketCount(): number {
    return this.#io.of('/').sockets.size;
  }

  disconnectSockets(): void {
    this.#io.disconnectSockets(true);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    if (url.startsWith('/socket.io/')) return;
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', '*');
    response.setHeader('Access-Control-Allow-Methods', '*');
    response.setHeader('Access-Control-Expose-Headers', 'Date');
    if (method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.entries(request.headers).filter(([name]) => !OF_BROWSERS.test(name));
    this.#calls.push({
      method,
      url,
      headers: Object.fromEntries(headers),
      body: Buffer.concat(chunks).toString(),
    });
    if (url === LIST) await this.#list;
    const answer = this.#act(method, url);
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer));
  }

  #act(method: string, url: string): unknown {
    if (method === 'GET' && url === LIST) {
      return Array.from(this.#sessions.values(), (session) => ({ ...session, ...this.#chatter.details }));
    }
    if (method === 'POST' && url === '/api/message') return this.#chatter.sent ?? {};
    const [, path, numero = ''] = /^\/api\/session\/(levanta\/)?([^/]+)$/.exec(url) ?? [];
    if (method === 'GET' && path) {
      this.#sessions.set(numero, { numero, state: 'AUTENTICANDO...', waiting: true });
      return { numero };
    }
    if (method === 'DELETE' && !path && this.#sessions.delete(numero)) return {};
    return undefined;
  }
}
