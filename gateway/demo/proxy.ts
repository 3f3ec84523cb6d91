import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Server } from './server.ts';

const COOKIE = 'whatsapp_operadores_demo';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * A sticky proxy, which panels need since they begin with long polling: each client stays at one gateway, by a cookie,
 * and moves to another one only when its own is gone.
 */
export class StickyProxy {
  readonly #servers: () => readonly Server[];
  readonly #places = new Map<string, Server>();
  readonly #moved: () => void;

  /**
   * @param servers all gateways
   * @param moved called when a client got another gateway
   */
  constructor(servers: () => readonly Server[], moved: () => void) {
    this.#servers = servers;
    this.#moved = moved;
  }

  /** Gives a client its cookie with the first answer; returns who it is. */
  welcome(incoming: IncomingMessage, answer: ServerResponse): string {
    const known = clientOf(incoming);
    if (known !== undefined) return known;
    const client = randomUUID();
    answer.setHeader('Set-Cookie', `${COOKIE}=${client}; Path=/; HttpOnly; SameSite=Strict`);
    return client;
  }

  /** Returns the gateway that serves this client now. */
  placeOf(client: string): Server | undefined {
    const server = this.#places.get(client);
    return server?.url === undefined ? undefined : server;
  }

  /** Passes a request on to the client's gateway. */
  forward(incoming: IncomingMessage, answer: ServerResponse): void {
    const url = this.#assign(clientOf(incoming));
    if (url === undefined) {
      unavailable(answer);
      return;
    }
    const { method, url: path, rawHeaders } = incoming;
    const outgoing = request(url + path, { method, headers: rawHeaders }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(answer);
      response.once('error', () => answer.destroy());
    });
    outgoing.once('error', () => (answer.headersSent ? answer.destroy() : unavailable(answer)));
    answer.once('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  /** Connects a WebSocket to the client's gateway. */
  upgrade(incoming: IncomingMessage, client: Duplex, head: Buffer): void {
    const url = this.#assign(clientOf(incoming));
    client.on('error', () => {});
    if (url === undefined)
      return void client.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
    const { hostname, port } = new URL(url);
    const upstream = connect(Number(port), hostname, () => {
      upstream.write(headOf(incoming));
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => {});
    upstream.once('close', () => client.destroy());
    client.once('close', () => upstream.destroy());
  }

  /** Returns the address of the client's gateway; a client that is not known yet gets the one with the fewest. */
  #assign(client: string | undefined): string | undefined {
    const current = client === undefined ? undefined : this.placeOf(client);
    if (current) return current.url;
    const places = [...this.#places.values()];
    const load = (server: Server) => places.filter((place) => place === server).length;
    const [next] = this.#servers()
      .filter(({ url }) => url !== undefined)
      .sort((one, other) => load(one) - load(other));
    if (client !== undefined && next) {
      this.#places.set(client, next);
      this.#moved();
    }
    return next?.url;
  }
}

function clientOf({ headers }: IncomingMessage): string | undefined {
  const found = headers.cookie?.split('; ').find((cookie) => cookie.startsWith(`${COOKIE}=`));
  const client = found?.slice(COOKIE.length + 1);
  return client !== undefined && UUID.test(client) ? client : undefined;
}

/** The beginning of a request, as it came. */
function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function unavailable(answer: ServerResponse): void {
  answer.writeHead(503, { 'Content-Type': 'application/json; charset=utf-8', 'Retry-After': '1' });
  answer.end(JSON.stringify({ message: 'Ningún servidor responde en este momento' }));
}
