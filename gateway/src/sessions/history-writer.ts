import { setTimeout as wait } from 'node:timers/promises';
import type { WireHistoryEntry } from '../../../src/wire.ts';
import type { ArchiveLedger, NewEntry } from '../ledger/archive.ts';
import { Batch } from './batch.ts';
import { StoreError } from './errors.ts';

/** Milliseconds for which entries are collected: each write waits for the disk. */
const COLLECT = 10;
/** Wait before a failed write is tried again, in milliseconds. */
const RETRY = 1_000;
/** Most entries that wait while the store fails; then the oldest are dropped. */
const MOST_WAITING = 5_000;

/** Writes the histories of sessions, many entries at a time. */
export class HistoryWriter {
  readonly #archive: () => ArchiveLedger;
  /** The last entry of each session: a repetition is not recorded. */
  readonly #last = new Map<string, WireHistoryEntry>();
  #waiting: NewEntry[] = [];
  #isWriting = false;
  #writing: Promise<void> | undefined;
  /** Entries that are being written, and entries that wait. */
  #current = new Batch();
  #next = new Batch();
  readonly #closing = new AbortController();

  constructor(archive: () => ArchiveLedger) {
    this.#archive = archive;
  }

  /** Adds an entry with the current time. */
  add(numero: string, { event, state, detail, code }: Omit<WireHistoryEntry, 'at'>): void {
    const last = this.#last.get(numero);
    if (last?.event === event && last.state === state && last.code === code) return;
    // Pages of the history are split by time, so no two entries may have the same.
    const at = Math.max(Date.now(), (last?.at ?? 0) + 1);
    const entry = {
      at,
      event,
      state,
      ...(detail !== undefined && { detail }),
      ...(code !== undefined && { code }),
    };
    this.#last.set(numero, entry);
    this.#waiting.push({ numero, entry });
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
    if (!this.#isWriting) this.#writing = this.#writeAll();
  }

  /** Forgets a session that is removed, or no longer this process's. */
  forget(numero: string): void {
    this.#last.delete(numero);
    this.#waiting = this.#waiting.filter((entry) => entry.numero !== numero);
  }

  /** Resolves once all added entries are written, or their next attempt has failed. */
  async written(): Promise<void> {
    if (!this.#isWriting) return;
    await (this.#waiting.length > 0 ? this.#next : this.#current).done;
  }

  /** Writes the waiting entries, and drops those that cannot be written. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    const { signal } = this.#closing;
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      await wait(COLLECT);
      this.#current = this.#next;
      this.#next = new Batch();
      const entries = this.#waiting;
      this.#waiting = [];
      const isWritten = await this.#write(entries);
      this.#current.end();
      if (isWritten) continue;
      if (signal.aborted) break;
      // Not those of sessions that were forgotten meanwhile.
      const again = entries.filter(({ numero }) => this.#last.has(numero));
      this.#waiting = [...again, ...this.#waiting].slice(-MOST_WAITING);
      await wait(RETRY, undefined, { signal }).catch(() => {});
    }
    this.#isWriting = false;
    this.#next.end();
    this.#next = new Batch();
  }

  async #write(entries: readonly NewEntry[]): Promise<boolean> {
    try {
      await this.#archive().record(entries);
      return true;
    } catch (error) {
      // The store logs the failure. Callers that wait for the history read the stored entries.
      if (!(error instanceof StoreError)) throw error;
      return false;
    }
  }
}
