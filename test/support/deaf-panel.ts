import { on, once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** Of Engine.IO and Socket.IO, as they stand in a message or at its beginning. */
const CONNECT = '40';
const PONG = '3';
const PROBE = '2probe';
const PROBED = '3probe';
const UPGRADE = '5';

/** Where a panel stops reading: `upgrading` is between its polls and a WebSocket, `upgraded` on one that followed polls. */
export const STAGES = ['websocket', 'upgraded', 'upgrading', 'polling'] as const;

/** Intervals in milliseconds; what has none is not done. */
export interface Habits {
  readonly stage: (typeof STAGES)[number];
  /** How often it says that it is alive. Without this it never learns that it was closed. */
  readonly pongEvery?: number;
  /** How often it reads for a moment. */
  readonly readEvery?: number;
  /** How long after it was closed it comes back. */
  readonly backAfter?: number;
}

/** A panel that stops reading what it is told, once it is connected. */
export class DeafPanel {
  readonly #url: string;
  readonly #habits: Habits;
  readonly #stop = new AbortController();
  /** What ends its connections. */
  readonly #ends: (() => void)[] = [];
  /** Whether it has been connected, and stopped reading. */
  isDeaf = false;
  /** How often it learned that it was closed. */
  closed = 0;

  constructor(url: string, habits: Habits) {
    this.#url = `${url}/socket.io/?EIO=4&transport=`;
    this.#habits = habits;
    void this.#live();
  }

  /** Leaves without a word. */
  stop(): void {
    this.#stop.abort();
  }

  async #live(): Promise<void> {
    const { backAfter } = this.#habits;
    const { signal } = this.#stop;
    for (;;) {
      // Whatever it is that ends the connection.
      await this.#listen().catch(() => {});
      for (const end of this.#ends.splice(0)) end();
      if (signal.aborted) return;
      this.closed += 1;
      if (backAfter === undefined) return;
      await sleep(backAfter, undefined, { signal }).catch(() => {});
    }
  }

  /** Connects, and resolves or rejects when it learns that it was closed. */
  async #listen(): Promise<void> {
    const { stage } = this.#habits;
    if (stage === 'websocket') {
      const socket = await this.#open('');
      socket.send(CONNECT);
      await this.#message(socket, CONNECT);
      return this.#ignore(socket);
    }
    const sid = await this.#handshake();
    if (stage === 'polling') return this.#ignorePolls(sid);
    const socket = await this.#open(sid);
    socket.send(PROBE);
    await this.#message(socket, PROBED);
    if (stage === 'upgrading') {
      socket.pause();
      return this.#ignorePolls(sid);
    }
    socket.send(UPGRADE);
    return this.#ignore(socket);
  }

  async #open(sid: string): Promise<WebSocket> {
    const url = `${this.#url.replace('http', 'ws')}websocket${sid && `&sid=${sid}`}`;
    const socket = new WebSocket(url, { perMessageDeflate: false });
    // What it learns of its end by; 'close' follows.
    socket.on('error', () => {});
    this.#ends.push(() => socket.terminate());
    await once(socket, 'open', this.#stop);
    return socket;
  }

  /** Resolves when a message has come that starts so. */
  async #message(socket: WebSocket, start: string): Promise<void> {
    const { signal } = this.#stop;
    for await (const [data] of on(socket, 'message', { signal, close: ['close'] })) {
      if (String(data).startsWith(start)) return;
    }
    throw new Error('Closed');
  }

  /** Joins the root namespace by long polling. */
  async #handshake(): Promise<string> {
    const sid = /"sid":"([^"]+)"/.exec(await this.#request())?.[1] ?? '';
    await this.#request(sid, CONNECT);
    while (!(await this.#request(sid)).includes(CONNECT));
    return sid;
  }

  /** Posts the packet, or polls where there is none. Rejects when the gateway does not know the session any more. */
  async #request(sid = '', packet?: string): Promise<string> {
    const post = packet === undefined ? {} : { method: 'POST', body: packet };
    // No connection is to outlast what it is for.
    const headers = { Connection: 'close' };
    const response = await fetch(this.#pollUrl(sid), { ...post, headers, signal: this.#stop.signal });
    if (!response.ok) throw new Error(`${response.status}`);
    return response.text();
  }

  #pollUrl(sid: string): string {
    return `${this.#url}polling${sid && `&sid=${sid}`}`;
  }

  async #ignore(socket: WebSocket): Promise<void> {
    const { pongEvery, readEvery } = this.#habits;
    socket.pause();
    this.isDeaf = true;
    const every = (interval: number | undefined, task: () => void) => {
      if (interval === undefined) return;
      const timer = setInterval(task, interval);
      this.#ends.push(() => clearInterval(timer));
    };
    every(pongEvery, () => socket.send(PONG));
    every(readEvery, () => {
      socket.resume();
      setImmediate(() => socket.pause());
    });
    await once(socket, 'close', this.#stop);
  }

  async #ignorePolls(sid: string): Promise<void> {
    const { signal } = this.#stop;
    const { pongEvery, readEvery } = this.#habits;
    this.isDeaf = true;
    if (readEvery === undefined) {
      // Its answer is never looked at.
      const poll = get(this.#pollUrl(sid), { agent: false }).on('error', () => {});
      this.#ends.push(() => poll.destroy());
    }
    const again = async (interval: number | undefined, packet?: string) => {
      while (interval !== undefined) {
        await sleep(interval, undefined, { signal });
        await this.#request(sid, packet);
      }
      // Until somebody stops it.
      await once(signal, 'abort');
    };
    await Promise.race([again(pongEvery, PONG), again(readEvery)]);
  }
}
