import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server } from 'socket.io';
import type { WireMessage } from '../../../src/wire.ts';
import { listening } from '../../support/listening.ts';
import type { Scope } from '../../support/scope.ts';
import { sendRaw } from '../../support/send-raw.ts';

const SCRIPT = readFileSync(new URL('../../../dist/whatsapp-operadores.js', import.meta.url), 'utf8');
/** The panel's script loads when the page asks for it, so that the element can be set up before. */
const PAGE = '<!doctype html><link rel="icon" href="data:,"><whatsapp-operadores></whatsapp-operadores>';

/** A server of the contract with the list that it is given; it accepts every request. */
export class Host {
  /** The list, or the text that is answered instead. */
  list: readonly unknown[] | string;
  readonly origin: string;
  readonly starts: string[] = [];
  readonly messages: WireMessage[] = [];
  readonly #sockets: Server;

  private constructor(list: readonly unknown[], port: number, sockets: Server) {
    this.list = list;
    this.origin = `http://127.0.0.1:${port}`;
    this.#sockets = sockets;
  }

  static async open(scope: Scope, list: readonly unknown[]): Promise<Host> {
    const server = createServer((request, response) => void host.#answer(request, response));
    const sockets = new Server(server);
    scope.after(() => sockets.disconnectSockets(true));
    const host = new Host(list, await listening(scope, server), sockets);
    return host;
  }

  /** Sends a raw text over every WebSocket; returns how many there were. */
  send(text: string): number {
    return sendRaw(this.#sockets, text);
  }

  /** How many sockets receive pushes. */
  get listeners(): number {
    return this.#sockets.of('/').sockets.size;
  }

  push(name: string, ...payload: unknown[]): void {
    this.#sockets.emit(name, ...payload);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const json = (body: unknown) =>
      response
        .setHeader('Content-Type', 'application/json')
        .end(typeof body === 'string' ? body : JSON.stringify(body));
    if (path === '/') response.setHeader('Content-Type', 'text/html').end(PAGE);
    else if (path === '/script.js') response.setHeader('Content-Type', 'text/javascript').end(SCRIPT);
    else if (path === '/api/session/sessions') json(this.list);
    else if (path.startsWith('/api/session/levanta/')) {
      const numero = decodeURIComponent(path.slice('/api/session/levanta/'.length));
      this.starts.push(numero);
      json({ numero });
    } else if (path === '/api/message') {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      this.messages.push(JSON.parse(body));
      json({});
    } else response.writeHead(404).end();
  }
}
