import type { Logger } from 'pino';
import { RemoteError } from './errors.ts';
import type { Reconciler } from './reconciler.ts';
import type { RemoteServer } from './server.ts';

/** All in milliseconds. */
export interface WatchTimings {
  /** How often the list is read without an event: a feed may be silent, or lose events. */
  readonly every: number;
  /** How often it is read without a feed or an answer. */
  readonly alone: number;
  /** How long the server may fail before its sessions count as unknown. */
  readonly patience: number;
  /** Shortest time between two lists that events request. */
  readonly spacing: number;
}

export const WATCH_TIMINGS: WatchTimings = { every: 30_000, alone: 3_000, patience: 10_000, spacing: 1_000 };

/** Reads the list of another server regularly, whatever its events report. */
export class ListWatch {
  readonly #server: RemoteServer;
  readonly #reconciler: Reconciler;
  readonly #timings: WatchTimings;
  readonly #log: Logger;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #failing: { readonly since: number; readonly sentence: string } | undefined;
  #isComplete = true;
  #readAt = 0;
  #soon: ReturnType<typeof setTimeout> | undefined;
  /** The open feed: whether an event has come, and how many changes it did not report. */
  #feed: { hasEvents: boolean; missed: number } | undefined;
  #closed = false;

  constructor(server: RemoteServer, reconciler: Reconciler, timings: WatchTimings, log: Logger) {
    this.#server = server;
    this.#reconciler = reconciler;
    this.#timings = timings;
    this.#log = log;
  }

  feedOpened(): void {
    this.#log.info("The server's event feed is open.");
    this.#feed = { hasEvents: false, missed: 0 };
    this.readSoon();
  }

  feedClosed(): void {
    this.#log.warn("The server's event feed is closed: its list is read instead.");
    this.#feed = undefined;
    this.readSoon();
  }

  /** An event came. */
  onEvent(): void {
    if (this.#feed) this.#feed.hasEvents = true;
  }

  /** The list shows a change that no event reported. */
  onUnreported(): void {
    if (!this.#feed || this.#feed.hasEvents) return;
    this.#feed.missed += 1;
    // The first time, the event may still have been on its way.
    if (this.#feed.missed === 2)
      this.#log.warn(`The server's event feed is open, but reports nothing: ${this.#server.events?.remedy}.`);
  }

  /** Whether the server did not answer the last time. */
  get isFailing(): boolean {
    return this.#failing !== undefined;
  }

  /** Reads the list. A call during another request waits for a later list. Never rejects. */
  read(): Promise<void> {
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined;
      this.#reading = this.#read();
      return this.#reading;
    });
    return this.#next;
  }

  /** Reads the list soon, once for many calls. */
  readSoon(): void {
    if (this.#closed || this.#soon) return;
    const delay = Math.max(0, this.#readAt + this.#timings.spacing - performance.now());
    this.#soon = setTimeout(() => {
      this.#soon = undefined;
      void this.read();
    }, delay);
  }

  /** Resolves when no list is being read. */
  close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#soon);
    return this.#reading;
  }

  async #read(): Promise<void> {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#readAt = performance.now();
    try {
      this.#reconciler.asked();
      const sessions = await this.#server.list();
      if (this.#closed) return;
      if (this.#failing) this.#log.info('The server answers again.');
      this.#failing = undefined;
      this.#isComplete = await this.#reconciler.compare(sessions);
    } catch (error) {
      if (error instanceof RemoteError) this.#failed(error);
      else this.#log.error({ err: error }, 'The list of the server could not be taken over.');
    } finally {
      this.#schedule();
    }
  }

  #failed({ code, sentence }: RemoteError): void {
    if (this.#closed) return;
    if (this.#failing?.sentence !== sentence) this.#log.warn({ reason: code }, sentence);
    // A server that hangs has failed since the request.
    const { since } = this.#failing ?? { since: this.#readAt };
    this.#failing = { since, sentence };
    if (performance.now() - since >= this.#timings.patience) this.#reconciler.lost();
  }

  #schedule(): void {
    if (this.#closed) return;
    const { every, alone } = this.#timings;
    const isWell = this.#feed && !this.#failing && this.#isComplete;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.read(), isWell ? every : alone);
  }
}
