import type { Delivery, Engine, Report } from '../engine.ts';
import { StoreError } from '../errors.ts';
import { Connectivity } from './connectivity.ts';
import { unlessDiskFails } from './disk.ts';
import { loadLibrary } from './library.ts';
import { Session, type Surroundings } from './session.ts';
import { Store } from './store.ts';
import { TIMINGS, type Timings } from './timings.ts';

export interface WhatsappOptions {
  /** Where the sessions and their credentials are kept; made if it is missing. */
  readonly folder: string;
  /** WhatsApp's server, as `wss://…`. Default the real one. */
  readonly url?: string;
  readonly timings?: Partial<Timings>;
  /** Gets what whoever runs the gateway should know, a sentence at a time. Default `console.error`. */
  readonly print?: (sentence: string) => void;
}

/** Links real phones through the client library, which is not loaded before `restore`. */
export class WhatsappEngine implements Engine {
  readonly #options: WhatsappOptions;
  readonly #print: (sentence: string) => void;
  readonly #sessions = new Map<string, Session>();
  /** Sessions that were being deleted when the gateway ended. */
  readonly #leaving = new Map<string, Promise<void>>();
  #running: Surroundings | undefined;
  #closed = false;

  constructor(options: WhatsappOptions) {
    this.#options = options;
    this.#print = options.print ?? ((sentence) => console.error(sentence));
  }

  async restore(resume: (numero: string) => Report): Promise<void> {
    const { folder, url, timings } = this.#options;
    const library = await loadLibrary();
    const store = await Store.open(folder, library, this.#print);
    if (this.#closed) return store.close();
    this.#running = {
      line: { library, url, timings: { ...TIMINGS, ...timings } },
      store,
      connectivity: new Connectivity(this.#print),
      print: this.#print,
    };

    let linked = 0;
    for (const { numero, leaving } of store.sessions()) {
      if (leaving) {
        this.#goOnLeaving(numero);
        continue;
      }
      const report = resume(numero);
      const credentials = unlessDiskFails(() => store.credentials(numero));
      if (credentials?.phone === undefined) report({ type: 'disconnected' });
      else this.#session(numero, report).start(linked++ * this.#running.line.timings.stagger);
    }
  }

  async start(numero: string, report: Report): Promise<void> {
    const { store } = this.#run();
    await this.#leaving.get(numero);
    await this.#sessions.get(numero)?.stop();
    if (this.#closed) throw new Error('The engine was closed meanwhile');
    store.add(numero);
    // Rejects when they cannot be read, before there is a session that would have to do without.
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

  #session(numero: string, report: Report): Session {
    const session = new Session(numero, this.#run(), report);
    this.#sessions.set(numero, session);
    return session;
  }

  #goOnLeaving(numero: string): void {
    const session = this.#session(numero, () => {});
    const left = this.#leave(numero, session).catch((error: unknown) => {
      // The store has said so, and the next start of the gateway goes on.
      if (!(error instanceof StoreError)) throw error;
    });
    this.#leaving.set(numero, left);
  }

  /** Whatever WhatsApp says or does not say, the credentials are erased. */
  async #leave(numero: string, session: Session): Promise<void> {
    const told = await session.leave();
    if (this.#closed) return;
    if (!told) {
      this.#print(
        `WhatsApp could not be told that ${numero} was deleted: remove it from the phone's devices.`,
      );
    }
    this.#run().store.remove(numero);
    this.#sessions.delete(numero);
    this.#leaving.delete(numero);
  }

  #run(): Surroundings {
    if (!this.#running) throw new Error('The engine was not restored');
    return this.#running;
  }
}
