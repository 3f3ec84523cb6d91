import { WebSocket } from 'ws';

/** Prefix of Engine.IO and Socket.IO before a message's content. */
const OPEN = '0';
const PING = '2';
const PONG = '3';
const CONNECT = '40';
const EVENT = '42';

/**
 * A panel's WebSocket without its client: the real one takes as long to read a push as the gateway to write it, and on
 * one machine the benchmark would measure that.
 */
export class BarePanel {
  readonly #socket: WebSocket;
  isReady = false;
  /** Whether the connection has ended; it is not made anew. */
  isClosed = false;

  /** @param hear called with the text of each push, after its prefix */
  constructor(url: string, hear: (push: string) => void) {
    this.#socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
      perMessageDeflate: false,
    });
    this.#socket.on('close', () => {
      this.isClosed = true;
    });
    this.#socket.on('message', (data) => {
      const message = String(data);
      if (message.startsWith(EVENT)) hear(message.slice(EVENT.length));
      else if (message.startsWith(OPEN)) this.#socket.send(CONNECT);
      else if (message === PING) this.#socket.send(PONG);
      else if (message.startsWith(CONNECT)) this.isReady = true;
    });
  }

  close(): void {
    this.#socket.close();
  }
}
