import { on, once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** Packets of Engine.IO and Socket.IO, or how they begin. */
const CONNECT = '40';
const PONG = '3';
const PROBE = '2probe';
const PROBED = '3probe';
const UPGRADE = '5';

/** When a panel stops reading: `upgrading` is during the upgrade to a WebSocket, `upgraded` after it. */
export const STAGES = ['websocket', 'upgraded', 'upgrading', 'polling'] as const;

/** Intervals in milliseconds; without one, it does not happen. */
export interface Habits {
  readonly stage: (typeof STAGES)[number];
  /** Between pongs. Without them it never learns that it was closed. */
  readonly pongEvery?: number;
  /** Between moments of reading. */
  readonly readEvery?: number;
  /** From its close to its reconnection. */
  readonly backAfter?: number;
}

/** A panel that stops reading once it is connected. */
export class SlowConsumer {
  readonly #url: string;
  readonly #habits: Habits;
  readonly #stop = new AbortController();
  /** Ends its connections. */
  readonly #ends: (() => void)[] = [];
  /** Whether it has stopped reading. */
  hasStopped = false;
  /** The number of closes that it noticed. */
  closed = 0;

  constructor(url: string, habits: Habits) {
    this.#url = `${url}/socket.io/?EIO=4&transport=`;
    this.#habits = habits;
    void this.#live();
  }

  /** Drops its connections. */
  stop(): void {
    this.#stop.abort();
  }

  async #live(): Promise<void> {
    const { backAfter } = this.#habits;
    const { signal } = this.#stop;
    for (;;) {
      // A connection may end in any way.
      await this.#listen().catch(() => {});
      for (const end of this.#ends.splice(0)) end();
      if (signal.aborted) return;
      this.closed += 1;
      if (backAfter === undefined) return;
      await sleep(backAfter, undefined, { signal }).catch(() => {});
    }
  }

  /** Connects; settles when it notices that it was closed. */
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
    // 'close' follows.
    socket.on('error', () => {});
    this.#ends.push(() => socket.terminate());
    await once(socket, 'open', this.#stop);
    return socket;
  }

  /** Resolves on a message with that start. */
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

  /** Posts the packet, or polls without one. Rejects when the gateway no longer knows the session. */
  async #request(sid = '', packet?: string): Promise<string> {
    const post = packet === undefined ? {} : { method: 'POST', body: packet };
    // A kept-alive connection would outlast the panel.
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
    this.hasStopped = true;
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
    this.hasStopped = true;
    if (readEvery === undefined) {
      // Its answer is never read.
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
