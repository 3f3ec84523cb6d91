import type { Logger } from 'pino';
import type { Delivery, Engine, Report } from '../../sessions/engine.ts';
import { StoreError } from '../../sessions/errors.ts';
import { type DiskObserver, unlessDiskFails } from '../../store/disk.ts';
import { SqliteStore } from '../../store/sqlite-store.ts';
import { Connectivity } from './failures.ts';
import { loadLibrary } from './library.ts';
import { startDelay } from './reconnection.ts';
import { type SessionContext, WhatsappSession } from './session.ts';
import { TIMINGS, type Timings } from './timings.ts';

export interface WhatsappOptions {
  /** Folder for the sessions and their credentials; created if missing. */
  readonly folder: string;
  /** WhatsApp's server, as `wss://…`. Default: the real one. */
  readonly url?: string;
  /**
   * File with the key that encrypts the credentials in the store: 64 hexadecimal characters, as `openssl rand -hex 32`
   * writes them, and which others cannot read. A store without encryption is encrypted. Numeros and the names of keys,
   * which may contain numbers of contacts, are not. Default: credentials lie there as they are.
   */
  readonly keyFile?: string | undefined;
  readonly timings?: Partial<Timings>;
  /** Receives the duration of each disk operation, failed ones included. */
  readonly onDiskTask?: DiskObserver | undefined;
}

/** Links real phones through the client library, which `restore` loads. */
export class WhatsappEngine implements Engine {
  readonly #options: WhatsappOptions;
  readonly #log: Logger;
  readonly #sessions = new Map<string, WhatsappSession>();
  /** Sessions that were being deleted when the gateway ended. */
  readonly #leaving = new Map<string, Promise<void>>();
  #running: SessionContext | undefined;
  #closed = false;

  /** @param log the operator log */
  constructor(options: WhatsappOptions, log: Logger) {
    this.#options = options;
    this.#log = log;
  }

  async restore(resume: (numero: string) => Report): Promise<void> {
    const { folder, url, timings } = this.#options;
    const library = await loadLibrary();
    const print = (sentence: string) => this.#log.error(sentence);
    const store = await SqliteStore.open(folder, library, print, this.#options);
    if (this.#closed) return store.close();
    this.#running = {
      settings: { library, url, timings: { ...TIMINGS, ...timings }, log: this.#log },
      store,
      connectivity: new Connectivity(this.#log),
    };

    const linked: { session: WhatsappSession; used: number }[] = [];
    for (const { numero, leaving } of store.sessions()) {
      if (leaving) {
        this.#resumeLeaving(numero);
        continue;
      }
      const report = resume(numero);
      const credentials = unlessDiskFails(() => store.credentials(numero));
      if (credentials?.phone === undefined) report({ type: 'disconnected' });
      else linked.push({ session: this.#session(numero, report), used: credentials.used });
    }
    // Those in use first.
    linked.sort((a, b) => b.used - a.used);
    const { stagger } = this.#running.settings.timings;
    for (const [place, { session }] of linked.entries()) session.start(startDelay(place, stagger));
  }

  async start(numero: string, report: Report): Promise<void> {
    const { store } = this.#run();
    await this.#leaving.get(numero);
    await this.#sessions.get(numero)?.stop();
    if (this.#closed) throw new Error('The engine has been closed');
    store.add(numero);
    // Rejects if they cannot be read, before a session is created.
    store.credentials(numero);
    this.#session(numero, report).start();
  }

  async remove(numero: string): Promise<void> {
    this.#run().store.leave(numero);
    await this.#leave(numero, this.#sessions.get(numero) ?? this.#session(numero, () => {}));
  }

  async send(numero: string, to: string, text: string): Promise<Delivery> {
    return this.#sessions.get(numero)?.send(to, text) ?? 'not-connected';
  }

  close(): void {
    this.#closed = true;
    for (const session of this.#sessions.values()) void session.stop();
    this.#sessions.clear();
    this.#running?.store.close();
  }

  #session(numero: string, report: Report): WhatsappSession {
    const session = new WhatsappSession(numero, this.#run(), report);
    this.#sessions.set(numero, session);
    return session;
  }

  #resumeLeaving(numero: string): void {
    const session = this.#session(numero, () => {});
    const left = this.#leave(numero, session).catch((error: unknown) => {
      // Already logged; the next start of the gateway tries again.
      if (!(error instanceof StoreError)) throw error;
    });
    this.#leaving.set(numero, left);
  }

  /** Erases the credentials whether or not WhatsApp could be told. */
  async #leave(numero: string, session: WhatsappSession): Promise<void> {
    const told = await session.leave();
    if (this.#closed) return;
    if (!told) {
      this.#log.warn(
        { numero },
        `WhatsApp could not be told that ${numero} was deleted: remove the device on the phone.`,
      );
    }
    await this.#run().store.remove(numero);
    this.#sessions.delete(numero);
    this.#leaving.delete(numero);
  }

  #run(): SessionContext {
    if (!this.#running) throw new Error('The engine was not restored');
    return this.#running;
  }
}
