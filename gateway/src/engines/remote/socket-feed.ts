import { WebSocket } from 'ws';
import { parseJson } from '../../json.ts';
import { excessIn, LONGEST } from './limits.ts';
import { answerPings } from './pings.ts';
import type { Feed } from './server.ts';

/** All in milliseconds. */
const TIMES = {
  /** Longest time for a connection. */
  connect: 10_000,
  /** How often a silent server is pinged; it has to answer before the next ping. */
  ping: 15_000,
  /** First and longest wait before reconnecting. */
  again: 500,
  longest: 3_000,
  /** How long it must stay open to count as working. */
  stable: 10_000,
};

interface SocketHandlers extends Pick<Feed, 'opened' | 'closed'> {
  /** @param event the parsed JSON, not validated */
  onEvent(event: unknown): void;
}

/** A WebSocket with the events of another server, which reconnects whenever it breaks or its server falls silent. */
export class SocketFeed {
  readonly #url: URL;
  readonly #handlers: SocketHandlers;
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempts = 0;
  #closed = false;

  constructor(url: URL, handlers: SocketHandlers) {
    this.#url = new URL(url);
    this.#url.protocol = url.protocol.replace('http', 'ws');
    this.#handlers = handlers;
  }

  /** Resolves when it is open, or the first attempt has failed. */
  open(): Promise<void> {
    return new Promise((resolve) => this.#connect(resolve));
  }

  #connect(settled: () => void): void {
    const socket = new WebSocket(this.#url, {
      handshakeTimeout: TIMES.connect,
      maxPayload: LONGEST.event,
      autoPong: false,
    });
    answerPings(socket);
    this.#socket = socket;
    let isAlive = true;
    const pinging = setInterval(() => {
      if (!isAlive) socket.terminate();
      else if (socket.readyState === WebSocket.OPEN) {
        isAlive = false;
        socket.ping();
      }
    }, TIMES.ping);
    let openedAt: number | undefined;
    socket.on('open', () => {
      openedAt = performance.now();
      this.#handlers.opened();
      settled();
    });
    const live = () => {
      isAlive = true;
    };
    socket.on('pong', live);
    socket.on('ping', live);
    socket.on('message', (data) => {
      live();
      const text = String(data);
      if (excessIn(text) !== undefined) return;
      const event = parseJson(text);
      if (event !== undefined) this.#handlers.onEvent(event);
    });
    // A close follows each error.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(pinging);
      settled();
      if (this.#closed) return;
      if (openedAt !== undefined) {
        this.#handlers.closed();
        if (performance.now() - openedAt > TIMES.stable) this.#attempts = 0;
      }
      const delay = Math.min(TIMES.longest, TIMES.again * 2 ** this.#attempts++) * (0.5 + Math.random() / 2);
      this.#timer = setTimeout(() => this.#connect(settled), delay);
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.terminate();
  }
}
