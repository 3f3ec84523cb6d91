import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { FolderError } from '../../ledger/folder.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { StoreError } from '../../ledger/store-error.ts';
import { numeroKey } from '../../numbers.ts';
import type { Report } from '../../sessions/engine.ts';
import { listingOf, type Omission } from './listing.ts';
import type { ListedSession, RemoteServer } from './server.ts';
import { RemoteSession } from './session.ts';

/** How many sessions are written or compared before other work gets its turn. */
const BATCH = 25;

interface ReconcilerOptions {
  /** Lists a session, and returns its report. */
  readonly appear: (numero: string) => Report;
  /** Returns the numeros of our own phones. Rejects with a `FolderError`. */
  readonly held: () => Promise<readonly string[]>;
  /** Called for each session that starts or stops without an event. */
  readonly onUnreported: () => void;
  /** The operator log. */
  readonly log: Logger;
}

/** The sessions of another server that are listed here, which it keeps as the server's list has them. */
export class Reconciler {
  readonly #server: RemoteServer;
  readonly #store: Ledger;
  readonly #options: ReconcilerOptions;
  /** By the numero's key, like all that follows. */
  readonly #sessions = new Map<string, RemoteSession>();
  /** By their names on the server. */
  #named = new Map<string, RemoteSession>();
  /** Sessions that are being started or removed: they do not appear meanwhile. */
  readonly #claimed = new Set<string>();
  /**
   * The turns of the sessions at the last request for the list, without sessions that had another request under way.
   */
  #turns = new Map<RemoteSession, number>();
  /** Sessions removed since then: the list may still have them. */
  readonly #removed = new Set<string>();
  /** The sessions of the last list that are not listed here, by their names. */
  #omitted: ReadonlyMap<string, Omission> = new Map();
  /** Sessions that the last list lacked. */
  #missing: ReadonlySet<string> = new Set();
  #held: ReadonlySet<string> = new Set();

  constructor(server: RemoteServer, store: Ledger, options: ReconcilerOptions) {
    this.#server = server;
    this.#store = store;
    this.#options = options;
  }

  get(numero: string): RemoteSession | undefined {
    return this.#sessions.get(numeroKey(numero));
  }

  get all(): readonly RemoteSession[] {
    return [...this.#sessions.values()];
  }

  named(name: string): RemoteSession | undefined {
    return this.#named.get(name);
  }

  /** Whether a session of the server is certainly not listed here, whatever number is linked to it. */
  omits(name: string, digits: string | undefined): boolean {
    const omission = this.#omitted.get(name);
    return omission !== undefined && (omission !== 'nameless' || digits === undefined);
  }

  add(name: string, numero: string, report: Report): RemoteSession {
    const session = new RemoteSession(this.#server, name, numero, report);
    this.#sessions.set(numeroKey(numero), session);
    this.#named.set(name, session);
    return session;
  }

  /** Forgets a session that was removed here. */
  drop(numero: string): void {
    const key = numeroKey(numero);
    this.#sessions.get(key)?.close();
    this.#sessions.delete(key);
    this.#nameAll();
    this.#removed.add(key);
  }

  /** Runs a start or a removal of a numero, which does not appear meanwhile. */
  async claiming<T>(numero: string, task: () => Promise<T>): Promise<T> {
    const key = numeroKey(numero);
    this.#claimed.add(key);
    try {
      return await task();
    } finally {
      this.#claimed.delete(key);
    }
  }

  /** Stores a numero, in this form only. */
  async keep(numero: string): Promise<void> {
    const other = this.#stored().get(numeroKey(numero))?.numero ?? numero;
    if (other !== numero) await this.#store.remove(other);
    await this.#store.add(numero);
  }

  /** Lists the last known sessions while their server does not answer. */
  listKept(): void {
    for (const { numero, leaving } of this.#store.sessions()) {
      if (leaving || this.get(numero)) continue;
      this.add(numero, numero, this.#options.appear(numero)).onStatus('unknown');
    }
  }

  /** The server has failed for too long. */
  lost(): void {
    for (const session of this.all) session.onStatus('unknown');
  }

  /** Called before each request for the list. */
  asked(): void {
    const settled = this.all.filter((session) => !session.isAsking);
    this.#turns = new Map(settled.map((session) => [session, session.turn]));
    this.#removed.clear();
  }

  /**
   * Compares the server's list with what is listed here, and reports the differences. Resolves with whether the list
   * is complete: one that lacks a session may be that of a server that has just begun to load them, and one that has a
   * removed session is older than the removal.
   */
  async compare(sessions: readonly ListedSession[]): Promise<boolean> {
    await this.#readHeld();
    const stored = this.#stored();
    const { listed, omitted } = listingOf(sessions, { held: this.#held, stored, known: this.#named });
    this.#warnOf(omitted);
    this.#omitted = omitted;
    const isFree = (key: string) => !this.#claimed.has(key) && !this.#removed.has(key);
    const fresh = [...listed].filter(([key]) => !stored.has(key) && isFree(key));
    await this.#keep(fresh.map(([, { numero }]) => numero));
    for (const [place, [key, { numero: theirs, session: there }]] of [...listed].entries()) {
      if (place % BATCH === BATCH - 1) await turn();
      // A stored numero keeps its form.
      const numero = stored.get(key)?.numero ?? theirs;
      const known = this.#sessions.get(key);
      if (known ? this.#removed.has(key) : !isFree(key) || !this.#store.isListed(numero)) continue;
      // An event that came meanwhile is newer than the list.
      if (known && this.#turns.get(known) !== known.turn) continue;
      const session = known ?? this.add(there.name, numero, this.#options.appear(numero));
      session.name = there.name;
      const status = there.status ?? (known ? undefined : 'stopped');
      if (status === undefined) continue;
      const wasDown = session.isDown;
      session.onListed(status, there.account);
      if (known && known.isDown !== wasDown) this.#options.onUnreported();
    }
    const lacksNone = await this.#removeMissing(listed);
    this.#nameAll();
    return lacksNone && this.all.every(({ isLeaving }) => !isLeaving);
  }

  close(): void {
    for (const session of this.all) session.close();
    this.#sessions.clear();
    this.#named.clear();
  }

  #nameAll(): void {
    this.#named = new Map(this.all.map((session) => [session.name, session]));
  }

  /** The stored numeros; those that somebody removed from the list are `leaving`. */
  #stored() {
    return new Map(this.#store.sessions().map((row) => [numeroKey(row.numero), row]));
  }

  /** Logs the sessions that an operator can do something about, once. */
  #warnOf(omitted: ReadonlyMap<string, Omission>): void {
    for (const [session, omission] of omitted) {
      if (omission !== 'held' || this.#omitted.get(session) === omission) continue;
      this.#options.log.warn({ session }, 'Not listed: a phone of our own holds its numero.');
    }
  }

  async #readHeld(): Promise<void> {
    try {
      this.#held = new Set((await this.#options.held()).map(numeroKey));
    } catch (error) {
      if (!(error instanceof FolderError)) throw error;
      // Known ones stay refused.
      this.#options.log.warn(error.message);
    }
  }

  /** Stores the numeros of sessions that appear. Those that cannot be stored, which is logged there, do not appear. */
  async #keep(numeros: readonly string[]): Promise<void> {
    for (let begin = 0; begin < numeros.length; begin += BATCH) {
      if (begin > 0) await turn();
      try {
        await this.#store.addAll(numeros.slice(begin, begin + BATCH));
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        return;
      }
    }
  }

  /**
   * Removes the sessions that were missing from two lists, or from one after their server said so. Resolves with whether this list lacks no others.
   *
   * @param there the sessions in the list, by their keys
   */
  async #removeMissing(there: ReadonlyMap<string, unknown>): Promise<boolean> {
    const missing = new Set<string>();
    let isComplete = true;
    for (const [key, { numero, leaving }] of this.#stored()) {
      const session = this.#sessions.get(key);
      const isBusy = session && (session.isAsking || !this.#turns.has(session));
      if (leaving || there.has(key) || this.#claimed.has(key) || isBusy) continue;
      missing.add(key);
      if (!this.#missing.has(key) && !session?.isLeaving) {
        isComplete = false;
        continue;
      }
      this.#sessions.delete(key);
      session?.gone();
      await this.#store.remove(numero);
      await turn();
    }
    this.#missing = missing;
    return isComplete;
  }
}
