import { WebSocket } from 'ws';

/** All in milliseconds. */
const TIMES = {
  /** Longest time for a connection. */
  connect: 10_000,
  /** How often a silent server is asked for a sign of life, which it gives until the next time. */
  ping: 15_000,
  /** How long to wait before the first attempt to connect again, and at most. */
  again: 500,
  longest: 3_000,
  /** How long it is open before it counts as one that works. */
  stable: 10_000,
};
/** Longest event, in bytes. */
const LONGEST = 1_048_576;

interface SocketHandlers {
  opened(): void;
  closed(): void;
  /** @param event what was sent, if it was JSON; of a form that nobody has checked */
  heard(event: unknown): void;
}

/** A WebSocket with the events of another server, opened again whenever it breaks or its server gives no sign of life. */
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
    const socket = new WebSocket(this.#url, { handshakeTimeout: TIMES.connect, maxPayload: LONGEST });
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
    socket.on('pong', () => {
      isAlive = true;
    });
    socket.on('message', (data) => {
      isAlive = true;
      const event = parsed(String(data));
      if (event !== undefined) this.#handlers.heard(event);
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
      const delay = Math.min(TIMES.longest, TIMES.again * 2 ** this.#attempts++);
      this.#timer = setTimeout(() => this.#connect(settled), delay * (0.5 + Math.random() / 2));
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.terminate();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
