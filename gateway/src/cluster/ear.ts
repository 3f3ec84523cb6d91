import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { reasonOf } from '../store/disk.ts';
import { type Listener, listen, type Sql } from '../store/postgres/database.ts';
import { CHANNEL, type Notice, readNotice } from './notices.ts';

/** Longest wait for a mark to come back, in milliseconds; then whoever waits goes on without it. */
const MARK_TIMEOUT = 2_000;
/** Wait before listening anew, in milliseconds. */
const RETRY = 300;

/**
 * Hears the notices of all gateways, in the order of their commits, on a connection of its own. When that is lost, it
 * listens anew.
 */
export class Ear {
  readonly #url: string;
  readonly #onNotice: (notice: Notice) => void;
  readonly #onListening: () => void;
  readonly #log: Logger;
  readonly #marks = new Map<string, () => void>();
  #listener: Listener | undefined;
  #attempt: symbol | undefined;
  #retry: NodeJS.Timeout | undefined;
  #ended = false;

  /**
   * @param url of the database
   * @param onListening called each time when it has begun to listen: what was said before is not heard
   */
  constructor(url: string, onNotice: (notice: Notice) => void, onListening: () => void, log: Logger) {
    this.#url = url;
    this.#onNotice = onNotice;
    this.#onListening = onListening;
    this.#log = log;
  }

  /** Begins to listen. Rejects with PostgreSQL's error. */
  async open(): Promise<void> {
    const attempt = Symbol();
    this.#attempt = attempt;
    // One that waited for a frozen server may succeed or fail after a later one has taken its place.
    const isLast = () => this.#attempt === attempt && !this.#ended;
    try {
      const listener = await listen(
        this.#url,
        'whatsapp-operadores listener',
        CHANNEL,
        (text) => this.#hear(text),
        () => this.#openLater(),
      );
      if (!isLast()) return await listener.end();
      this.#listener = listener;
      this.#onListening();
    } catch (error) {
      if (isLast()) throw error;
    }
  }

  /** Listens on another connection: this one is deaf. */
  async renew(): Promise<void> {
    await this.#listener?.end();
    this.#listener = undefined;
    this.#openLater(0);
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#retry);
    await this.#listener?.end();
  }

  /**
   * Makes sure that everything said before is heard. Resolves with how long that took, in milliseconds; undefined if it
   * took too long, or failed.
   *
   * @param sql a connection to speak on
   */
  async mark(sql: Sql): Promise<number | undefined> {
    const begun = performance.now();
    const id = randomUUID();
    const notice: Notice = { type: 'mark', id };
    const heard = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), MARK_TIMEOUT);
      this.#marks.set(id, () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
    try {
      await sql`SELECT pg_notify(${CHANNEL}, ${JSON.stringify(notice)})`;
      return (await heard) ? performance.now() - begun : undefined;
    } catch {
      return undefined;
    } finally {
      this.#marks.get(id)?.();
      this.#marks.delete(id);
    }
  }

  #openLater(delay = RETRY): void {
    clearTimeout(this.#retry);
    if (this.#ended) return;
    this.#retry = setTimeout(() => {
      this.open().catch((error: unknown) => {
        this.#log.debug({ reason: reasonOf(error) }, 'The database cannot be listened to: trying again.');
        this.#openLater();
      });
    }, delay);
  }

  #hear(text: string): void {
    const notice = readNotice(text);
    if (!notice) this.#log.debug('A notification is not understood: it is ignored.');
    else if (notice.type === 'mark') this.#marks.get(notice.id)?.();
    else this.#onNotice(notice);
  }
}
