import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Cipher } from '../ledger/cipher.ts';
import { listen, type Sql } from '../ledger/database.ts';
import { reasonOf } from '../ledger/operations.ts';
import { CHANNEL, notify } from '../ledger/session-rows.ts';
import { type Notice, openNotices, sealNotice } from './notices.ts';

/** Longest wait for a mark to return, in milliseconds; afterwards, waiting callers continue without it. */
const MARK_TIMEOUT = 2_000;
/** Wait before listening again, in milliseconds. */
const RETRY = 300;

interface ListenerHandlers {
  cipher(): Cipher;
  received(notice: Notice): void;
  /** It has begun to listen: earlier notices are lost. */
  listening(): void;
  /** A notice cannot be opened: a stranger sent it, or it has another secret. */
  unreadable(): void;
}

/**
 * Receives the notices of all gateways, in the order of their commits, on its own connection. If that is lost, it
 * listens again.
 */
export class Listener {
  readonly #url: string;
  readonly #handlers: ListenerHandlers;
  readonly #log: Logger;
  readonly #marks = new Map<string, () => void>();
  #connection: Awaited<ReturnType<typeof listen>> | undefined;
  #attempt: symbol | undefined;
  #retry: NodeJS.Timeout | undefined;
  #ended = false;

  /** @param url of the database */
  constructor(url: string, handlers: ListenerHandlers, log: Logger) {
    this.#url = url;
    this.#handlers = handlers;
    this.#log = log;
  }

  /** Begins to listen. Rejects with PostgreSQL's error. */
  async open(): Promise<void> {
    const attempt = Symbol();
    this.#attempt = attempt;
    // An attempt that waited for a frozen server may end after a later one has replaced it.
    const isLast = () => this.#attempt === attempt && !this.#ended;
    try {
      const connection = await listen(
        this.#url,
        'whatsapp-operadores listener',
        CHANNEL,
        (text) => this.#receive(text),
        () => this.#openLater(),
      );
      if (!isLast()) return await connection.end();
      this.#connection = connection;
      this.#handlers.listening();
    } catch (error) {
      if (isLast()) throw error;
    }
  }

  /** Listens on another connection, because this one receives nothing. */
  async renew(): Promise<void> {
    await this.#connection?.end();
    this.#connection = undefined;
    this.#openLater(0);
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#retry);
    await this.#connection?.end();
  }

  /**
   * Waits until all earlier notices have arrived. Resolves with whether they have: not if it took too long or failed.
   *
   * @param sql a connection for notifying
   */
  async mark(sql: Sql): Promise<boolean> {
    const id = randomUUID();
    const received = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), MARK_TIMEOUT);
      this.#marks.set(id, () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
    try {
      await notify(sql, sealNotice(this.#handlers.cipher(), { type: 'mark', id }));
      return await received;
    } catch {
      return false;
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
        this.#log.debug({ reason: reasonOf(error) }, 'Listening to the database failed: trying again.');
        this.#openLater();
      });
    }, delay);
  }

  #receive(text: string): void {
    const notices = openNotices(this.#handlers.cipher(), text);
    if (!notices) this.#handlers.unreadable();
    for (const notice of notices ?? []) {
      if (notice.type === 'mark') this.#marks.get(notice.id)?.();
      else this.#handlers.received(notice);
    }
  }
}
