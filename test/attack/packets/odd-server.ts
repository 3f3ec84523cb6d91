import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Random } from '../random.ts';
import { anyPacket, type RawPacket } from './odd-packets.ts';

const SEPARATOR = '\x1e';
/** Longer than a round: no pings. */
const PING_MS = 1_000_000;
const LIST = [{ numero: '5491155550001', state: 'CONNECTED', waiting: false }];
/** Most odd packets per connection, and the milliseconds between two of them. */
const MOST_IN_A_ROW = 4;
const PAUSE_MS = 20;
/** Milliseconds after which a connection that has survived its packets makes room for another one. */
const LIFE_MS = 500;

/** At which stage a connection gets its odd packets. */
const STAGES = ['handshake', 'open', 'polling', 'probe', 'upgrade', 'websocket'] as const;
type Stage = (typeof STAGES)[number];

/** One Engine.IO connection, over polling and then perhaps a WebSocket. */
interface Client {
  /** The stage at which it gets its odd packets. */
  readonly victimAt: Stage;
  readonly waiting: RawPacket[];
  poll: ServerResponse | undefined;
  webSocket: WebSocket | undefined;
}

/**
 * A server of the contract that implements Engine.IO and Socket.IO by hand. It sends odd packets to each connection at
 * some stage, and otherwise behaves correctly, until it is told to stop.
 */
export class OddServer {
  /** Odd packets sent. */
  sent = 0;
  readonly #random: Random;
  readonly #page: (path: string) => { type: string; body: string } | undefined;
  readonly #clients = new Map<string, Client>();
  readonly #http = createServer((request, response) => this.#answer(request, response));
  readonly #webSockets = new WebSocketServer({ noServer: true });
  #odd = true;
  #state = 'CONNECTED';

  /** @param page returns the files of the panel's page */
  constructor(random: Random, page: (path: string) => { type: string; body: string } | undefined) {
    this.#random = random;
    this.#page = page;
    this.#http.on('upgrade', (request, socket, head) => {
      this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => this.#upgrade(request, webSocket));
    });
  }

  async listen(): Promise<string> {
    this.#http.listen(0, '127.0.0.1');
    await once(this.#http, 'listening');
    const { port } = this.#http.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  close(): void {
    for (const webSocket of this.#webSockets.clients) webSocket.terminate();
    this.#http.close();
    this.#http.closeAllConnections();
  }

  /** Stops sending odd packets. */
  heal(): void {
    this.#odd = false;
  }

  /** Pushes a state of the one session to everybody. */
  push(state: string): void {
    this.#state = state;
    for (const client of this.#clients.values()) {
      this.#send(client, `42${JSON.stringify(['session:change_state', { numero: LIST[0]?.numero, state }])}`);
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const sid = url.searchParams.get('sid');
    if (url.pathname === '/socket.io/' && sid === null) this.#open(response);
    else if (url.pathname === '/socket.io/') this.#poll(request, response, sid ?? '');
    else this.#file(url.pathname, response);
  }

  #file(path: string, response: ServerResponse): void {
    const list = LIST.map((session) => ({ ...session, state: this.#state }));
    const isList = path === '/api/session/sessions';
    const file = isList ? { type: 'application/json', body: JSON.stringify(list) } : this.#page(path);
    response.writeHead(file ? 200 : 404, { 'Content-Type': file?.type ?? 'text/plain' });
    response.end(file?.body);
  }

  #poll(request: IncomingMessage, response: ServerResponse, sid: string): void {
    const client = this.#clients.get(sid);
    if (!client) {
      response.writeHead(400).end('{"code":1,"message":"Session ID unknown"}');
      return;
    }
    if (request.method === 'POST') {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        response.end('ok');
        for (const packet of body.split(SEPARATOR)) {
          if (packet === '1') this.#drop(sid, client);
          else this.#receive(client, packet);
        }
      });
      return;
    }
    client.poll = response;
    response.on('close', () => {
      if (client.poll === response) client.poll = undefined;
    });
    this.#flush(client);
  }

  #open(response: ServerResponse): void {
    const sid = randomUUID();
    const client: Client = {
      victimAt: this.#random.pick(STAGES),
      waiting: [],
      poll: undefined,
      webSocket: undefined,
    };
    this.#clients.set(sid, client);
    setTimeout(() => {
      if (this.#odd) this.#drop(sid, client);
    }, LIFE_MS);
    const open = {
      sid,
      upgrades: ['websocket'],
      pingInterval: PING_MS,
      pingTimeout: PING_MS,
      maxPayload: 1e6,
    };
    const sound = `0${JSON.stringify(open)}`;
    if (!this.#odd || client.victimAt !== 'handshake') {
      response.end(sound);
      if (client.victimAt === 'open') this.#attack(client);
      return;
    }
    this.sent += 1;
    const odd = textOf(anyPacket(this.#random));
    response.statusCode = this.#random.pick([200, 200, 200, 200, 204, 400, 500]);
    response.end(this.#random.pick([odd, sound + SEPARATOR + odd, odd + SEPARATOR + sound]));
  }

  #upgrade(request: IncomingMessage, webSocket: WebSocket): void {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const sid = searchParams.get('sid') ?? '';
    const client = this.#clients.get(sid);
    if (!client) {
      webSocket.terminate();
      return;
    }
    webSocket.on('error', () => {});
    webSocket.on('message', (data) => {
      const packet = String(data);
      if (!this.#clients.has(sid)) {
        // It was dropped during the upgrade.
        webSocket.terminate();
      } else if (packet === '2probe') {
        if (client.victimAt === 'probe' && this.#odd) {
          this.sent += 1;
          webSocket.send(anyPacket(this.#random));
        }
        webSocket.send('3probe');
        if (client.victimAt === 'upgrade' && this.#odd) {
          this.sent += 1;
          // It ends when the client has stopped polling.
          webSocket.close();
        }
        // The client waits for its poll to end before it upgrades.
        client.waiting.push('6');
        this.#flush(client);
      } else if (packet === '5') {
        client.webSocket = webSocket;
        for (const waiting of client.waiting.splice(0)) this.#send(client, waiting);
        if (client.victimAt === 'websocket') this.#attack(client);
      } else this.#receive(client, packet);
    });
  }

  #drop(sid: string, client: Client): void {
    this.#clients.delete(sid);
    client.webSocket?.terminate();
    client.poll?.writeHead(400).end();
  }

  #receive(client: Client, packet: string): void {
    if (!packet.startsWith('40')) return;
    this.#send(client, `40${JSON.stringify({ sid: randomUUID() })}`);
    if (client.victimAt === 'polling') this.#attack(client);
  }

  /** Sends some odd packets, one after the other. */
  #attack(client: Client, left = this.#random.integer(1, MOST_IN_A_ROW)): void {
    if (!this.#odd || left === 0) return;
    this.sent += 1;
    this.#send(client, anyPacket(this.#random));
    setTimeout(() => this.#attack(client, left - 1), PAUSE_MS);
  }

  #send(client: Client, packet: RawPacket): void {
    if (client.webSocket) {
      client.webSocket.send(packet);
      return;
    }
    client.waiting.push(packet);
    this.#flush(client);
  }

  #flush(client: Client): void {
    if (!client.poll || client.waiting.length === 0) return;
    client.poll.end(client.waiting.splice(0).map(textOf).join(SEPARATOR));
    client.poll = undefined;
  }
}

/** Over polling, bytes are base64. */
function textOf(packet: RawPacket): string {
  return typeof packet === 'string' ? packet : `b${packet.toString('base64')}`;
}
