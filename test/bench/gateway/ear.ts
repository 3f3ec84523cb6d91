import { WebSocket } from 'ws';
import { now } from '../now.ts';
import type { Delays } from './delays.ts';
import { readStamp } from './stamp.ts';

/** Prefix of Engine.IO and Socket.IO before a message's content. */
const OPEN = '0';
const PING = '2';
const PONG = '3';
const CONNECT = '40';

/**
 * A panel's WebSocket, reduced to counting: the real client takes as long to read a push as the gateway to write it,
 * and on one machine the benchmark would measure that.
 */
export class Ear {
  readonly #socket: WebSocket;
  readonly #delays: Delays;
  readonly #seen: Uint8Array;
  #last = -1;
  isReady = false;
  received = 0;
  repeated = 0;
  /** Pushes that arrived after a later one. */
  late = 0;

  /** @param pushes how many are expected */
  constructor(url: string, pushes: number, delays: Delays) {
    this.#delays = delays;
    this.#seen = new Uint8Array(pushes);
    this.#socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
      perMessageDeflate: false,
    });
    this.#socket.on('message', (data) => this.#hear(String(data)));
  }

  #hear(message: string): void {
    const stamp = readStamp(message);
    if (stamp) this.#count(stamp.index, stamp.due);
    else if (message.startsWith(OPEN)) this.#socket.send(CONNECT);
    else if (message === PING) this.#socket.send(PONG);
    else if (message.startsWith(CONNECT)) this.isReady = true;
  }

  #count(index: number, due: number): void {
    this.#delays.add(now() - due);
    if (this.#seen[index]) {
      this.repeated += 1;
      return;
    }
    this.#seen[index] = 1;
    this.received += 1;
    if (index < this.#last) this.late += 1;
    else this.#last = index;
  }
}
