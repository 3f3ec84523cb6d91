import type { Logger } from 'pino';
import type { StoredSession } from '../../ledger/driver.ts';
import type { EngineLedger } from '../../ledger/ledger.ts';
import { unlessStoreFails } from '../../ledger/operations.ts';
import type { Ack, Delivery, Engine, Pairing, Report } from '../../sessions/engine.ts';
import { NotLinked, NotOwnerError, NotPairable, StoreError } from '../../sessions/errors.ts';
import { Acks } from '../acks.ts';
import { Devices } from './devices.ts';
import { Connectivity } from './failures.ts';
import { loadLibrary } from './library.ts';
import { startDelay } from './reconnection.ts';
import { type SessionContext, WhatsappSession } from './session.ts';
import { TIMINGS, type Timings } from './timings.ts';

export interface LineOptions {
  /** WhatsApp's server, as `wss://…`. Default: the real one. */
  readonly url?: string;
  readonly timings?: Partial<Timings>;
}

export interface WhatsappOptions extends LineOptions {
  /** Folder for the sessions and their credentials; created if missing. */
  readonly folder: string;
  /**
   * File with the key that encrypts the data keys of the sessions: 64 hexadecimal characters, as `openssl rand -hex 32`
   * writes them, and which others cannot read. A store without encryption is encrypted. Numeros are not. Default: the
   * data keys lie there as they are.
   */
  readonly keyFile?: string | undefined;
}

/** Why a device is unlinked: to delete its session, or only to erase its keys. */
interface Unlinking {
  readonly numero: string;
  readonly task: 'delete' | 'erase';
  /** For the log: the requested action. */
  readonly done: 'deleted' | 'unlinked';
}

/** Links real phones through the client library, which `restore` loads. */
export class WhatsappEngine implements Engine {
  readonly #openStore: () => Promise<EngineLedger>;
  readonly #options: LineOptions;
  readonly #log: Logger;
  readonly #sessions = new Map<string, WhatsappSession>();
  /** Sessions that were being deleted when the gateway ended. */
  readonly #leaving = new Map<string, Promise<void>>();
  #running: SessionContext | undefined;
  #closed = false;

  /**
   * @param open opens the store; called once, by `restore`
   * @param log the operator log
   */
  constructor(open: () => Promise<EngineLedger>, log: Logger, options: LineOptions = {}) {
    this.#openStore = open;
    this.#log = log;
    this.#options = options;
  }

  async restore(resume: (numero: string) => Report): Promise<void> {
    const { url, timings } = this.#options;
    const library = await loadLibrary();
    const store = await this.#openStore();
    if (this.#closed) return store.close();
    this.#running = {
      settings: { library, url, timings: { ...TIMINGS, ...timings }, log: this.#log },
      store,
      devices: new Devices(store, library, (sentence) => this.#log.error(sentence)),
      connectivity: new Connectivity(this.#log),
    };
    this.#resume(store.sessions(), resume);
  }

  async resume(numeros: readonly string[], begin: (numero: string) => Report): Promise<void> {
    const wanted = new Set(numeros);
    const sessions = this.#run().store.sessions();
    this.#resume(
      sessions.filter(({ numero }) => wanted.has(numero)),
      begin,
    );
  }

  async release(numero: string): Promise<void> {
    const session = this.#sessions.get(numero);
    this.#sessions.delete(numero);
    this.#leaving.delete(numero);
    await session?.release();
    await this.#run().devices.release(numero);
  }

  async start(numero: string, report: Report): Promise<void> {
    const { store, devices } = this.#run();
    await this.#leaving.get(numero);
    await this.#sessions.get(numero)?.stop();
    this.#checkOpen();
    await store.add(numero);
    this.#checkOpen();
    // Rejects if they cannot be read, before a session is created.
    devices.get(numero);
    this.#session(numero, report).start();
  }

  async remove(numero: string): Promise<void> {
    await this.#run().store.leave(numero);
    await this.#leave(numero, this.#sessions.get(numero) ?? this.#session(numero, () => {}));
  }

  async unlink(numero: string): Promise<void> {
    const { devices } = this.#run();
    const session = this.#sessions.get(numero);
    if (!session) throw new NotLinked();
    const credentials = devices.get(numero);
    if (credentials.phone === undefined) throw new NotLinked();
    // A store that takes no writes would keep the credentials of a device that WhatsApp has removed.
    await credentials.checkWritable();
    await this.#unlink(session, { numero, task: 'erase', done: 'unlinked' });
    if (!this.#closed) session.left('unlinked');
  }

  async pair(numero: string): Promise<Pairing> {
    const session = this.#sessions.get(numero);
    if (!session) throw new NotPairable('not-waiting');
    return session.pair();
  }

  async send(numero: string, to: string, text: string, acked: (ack: Ack) => void): Promise<Delivery> {
    return this.#sessions.get(numero)?.send(to, text, acked) ?? 'not-connected';
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const session of this.#sessions.values()) void session.stop();
    this.#sessions.clear();
    await this.#running?.devices.close();
  }

  #checkOpen(): void {
    if (this.#closed) throw new Error('The engine has been closed');
  }

  #resume(sessions: readonly StoredSession[], begin: (numero: string) => Report): void {
    const { settings, devices } = this.#run();
    const linked: { session: WhatsappSession; used: number }[] = [];
    for (const { numero, leaving } of sessions) {
      if (leaving) {
        this.#resumeLeaving(numero);
        continue;
      }
      const report = begin(numero);
      const credentials = unlessStoreFails(() => devices.get(numero));
      if (credentials?.phone === undefined) report({ type: 'disconnected' });
      else linked.push({ session: this.#session(numero, report), used: credentials.used });
    }
    // Sessions in use first.
    linked.sort((a, b) => b.used - a.used);
    const { stagger } = settings.timings;
    for (const [place, { session }] of linked.entries()) session.start(startDelay(place, stagger));
  }

  #session(numero: string, report: Report): WhatsappSession {
    const acks = this.#sessions.get(numero)?.acks ?? new Acks();
    const session = new WhatsappSession(numero, this.#run(), report, acks);
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

  async #leave(numero: string, session: WhatsappSession): Promise<void> {
    await this.#unlink(session, { numero, task: 'delete', done: 'deleted' });
    if (this.#closed) return;
    this.#sessions.delete(numero);
    this.#leaving.delete(numero);
  }

  /** Unlinks the device of a session, and erases its credentials whether or not WhatsApp was reached. */
  async #unlink(session: WhatsappSession, { numero, task, done }: Unlinking): Promise<void> {
    const { devices } = this.#run();
    try {
      const told = await session.leave();
      if (this.#closed) return;
      if (this.#sessions.get(numero) !== session) throw new NotOwnerError(task, numero);
      if (!told) {
        this.#log.warn(
          { numero },
          `WhatsApp could not be told that ${numero} was ${done}: remove the device on the phone.`,
        );
      }
      await (task === 'delete' ? devices.remove(numero) : devices.erase(numero));
    } catch (error) {
      session.left();
      throw error;
    }
  }

  #run(): SessionContext {
    if (!this.#running) throw new Error('The engine was not restored');
    return this.#running;
  }
}
