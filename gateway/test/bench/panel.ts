import { io, type Socket } from 'socket.io-client';
import { now } from '../../../test/bench/now.ts';

/** A headless panel with the real client's connection: fetches the list on every connect. */
export class Panel {
  readonly #socket: Socket;
  readonly #url: string;
  #list = '';
  /** When the list last arrived, by the clock of `stamp.ts`; 0 while there is none. */
  listedAt = 0;
  /** Failed list requests. */
  failed = 0;
  /** Of all lists together. */
  bytes = 0;

  constructor(url: string) {
    this.#url = url;
    // As in the panel's own connection.
    this.#socket = io(url, { transports: ['polling', 'websocket'], forceNew: true });
    this.#socket.on('connect', () => this.#fetch());
  }

  get isReady(): boolean {
    return this.listedAt > 0 && this.#socket.io.engine.transport.name === 'websocket';
  }

  forgetList(): void {
    this.listedAt = 0;
    this.failed = 0;
    this.bytes = 0;
  }

  /** Whether the last list has this many sessions. */
  hasAll(sessions: number): boolean {
    const list: unknown = JSON.parse(this.#list);
    return Array.isArray(list) && list.length === sessions;
  }

  async #fetch(): Promise<void> {
    try {
      const answer = await fetch(`${this.#url}/api/session/sessions`);
      const body = await answer.arrayBuffer();
      this.bytes += body.byteLength;
      if (!answer.ok) throw new Error(`${answer.status}`);
      this.#list = new TextDecoder().decode(body);
      this.listedAt = now();
    } catch {
      this.failed += 1;
    }
  }
}
