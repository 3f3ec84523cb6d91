import type { Logger } from 'pino';
import type { Ledger } from '../../ledger/ledger.ts';
import { digitsOf, sameNumero } from '../../numbers.ts';
import type {
  Ack,
  Delivery,
  Engine,
  Pairing,
  PasskeyAssertion,
  PasskeyChallenge,
  Report,
} from '../../sessions/engine.ts';
import { NoPasskeyStep, NotLinked, NotPairable, SessionRefused } from '../../sessions/errors.ts';
import { RemoteError } from './errors.ts';
import { ListWatch, WATCH_TIMINGS, type WatchTimings } from './list-watch.ts';
import { isOf } from './numero.ts';
import { Reconciler } from './reconciler.ts';
import type { RemoteServer } from './server.ts';
import type { RemoteSession } from './session.ts';
import { inTurns } from './turns.ts';

/** How many probes run at a time: those that hang must not hold up messages, which share the connections. */
const PROBES_AT_ONCE = 3;

/** How long a probe may wait for its turn, in milliseconds: with its answer, it must take less than half a minute. */
const PROBE_WAIT = 15_000;

interface EngineOptions {
  /** Deletes sessions on the server too; otherwise a deletion only removes them from the list here. */
  readonly allowDelete: boolean;
  /**
   * Returns the numeros of our own phones: two sessions of one numero would disconnect each other forever. Rejects with
   * a `FolderError`.
   */
  readonly held: () => Promise<readonly string[]>;
  readonly timings?: Partial<WatchTimings> | undefined;
}

/** The parts that exist once the engine is restored. */
interface Restored {
  readonly store: Ledger;
  readonly reconciler: Reconciler;
  readonly watch: ListWatch;
}

/** The sessions of another server; the list is always that server's. */
export class RemoteEngine implements Engine {
  readonly #server: RemoteServer;
  readonly #openStore: () => Promise<Ledger>;
  readonly #options: EngineOptions;
  readonly #log: Logger;
  readonly #inTurn: <T>(task: () => Promise<T>) => Promise<T>;
  readonly #probeInTurn = inTurns(PROBES_AT_ONCE);
  #restored: Restored | undefined;

  /**
   * @param openStore opens the store for the data about their sessions; called once, by `restore`
   * @param log the operator log
   */
  constructor(server: RemoteServer, openStore: () => Promise<Ledger>, options: EngineOptions, log: Logger) {
    this.#server = server;
    this.#openStore = openStore;
    this.#options = options;
    this.#log = log;
    this.#inTurn = inTurns(server.startsAtOnce);
  }

  async restore(resume: (numero: string) => Report): Promise<void> {
    const { held, timings } = this.#options;
    // An unreadable folder is reported before anything starts.
    await held();
    const store = await this.#openStore();
    const reconciler = new Reconciler(this.#server, store, {
      appear: resume,
      held,
      onUnreported: () => watch.onUnreported(),
      log: this.#log,
    });
    const watch = new ListWatch(this.#server, reconciler, { ...WATCH_TIMINGS, ...timings }, this.#log);
    this.#restored = { store, reconciler, watch };
    await Promise.all([this.#openFeed(this.#restored), watch.read()]);
    if (watch.isFailing) reconciler.listKept();
  }

  async start(numero: string, report: Report): Promise<void> {
    const { reconciler } = this.#ready;
    if ((await this.#options.held()).some((one) => sameNumero(one, numero))) {
      throw new SessionRefused('held', numero);
    }
    const begin = async () => {
      const known = reconciler.get(numero);
      if (known) return this.#asking(() => known.start(report));
      const listed = (await this.#server.list()).find((session) => isOf(session, numero));
      await reconciler.keep(numero);
      const session = reconciler.add(listed?.name ?? digitsOf(numero), numero, report);
      if (!listed) return this.#asking(() => this.#create(session));
      // A session that already works was not ours to restart.
      if (listed.status) session.onListed(listed.status, listed.account);
      if (session.isDown) await this.#asking(() => session.start(report));
    };
    await reconciler.claiming(numero, () => this.#inTurn(begin));
  }

  async remove(numero: string): Promise<void> {
    const { reconciler, store } = this.#ready;
    const { allowDelete } = this.#options;
    if (allowDelete) await this.#delete(numero);
    await reconciler.claiming(numero, async () => {
      await (allowDelete ? store.remove(numero) : store.unlist(numero));
      reconciler.drop(numero);
    });
  }

  async unlink(numero: string): Promise<void> {
    const session = this.#ready.reconciler.get(numero);
    if (!session) throw new NotLinked();
    await this.#asking(() => session.unlink());
  }

  async pair(numero: string): Promise<Pairing> {
    const session = this.#ready.reconciler.get(numero);
    if (!session) throw new NotPairable('not-waiting');
    return this.#asking(() => session.pair());
  }

  async passkeyChallenge(numero: string): Promise<PasskeyChallenge> {
    const session = this.#ready.reconciler.get(numero);
    if (!session) throw new NoPasskeyStep();
    return session.passkey.challenge();
  }

  async passkey(numero: string, assertion?: PasskeyAssertion): Promise<void> {
    const session = this.#ready.reconciler.get(numero);
    if (!session) throw new NoPasskeyStep();
    await this.#asking(() => session.passkey.goOn(assertion));
  }

  async send(numero: string, to: string, text: string, acked: (ack: Ack) => void): Promise<Delivery> {
    return this.#ready.reconciler.get(numero)?.send(to, text, acked) ?? 'not-connected';
  }

  async probe(numero: string): Promise<boolean | undefined> {
    const { reconciler, watch } = this.#ready;
    const begun = performance.now();
    return this.#probeInTurn(async () => {
      // That others hang is no finding about this one.
      if (performance.now() - begun > PROBE_WAIT) return undefined;
      const isAnswered = await reconciler.get(numero)?.probe();
      // A server that does not even answer with its list is down: that is no finding about one session.
      return isAnswered || !watch.isFailing ? isAnswered : undefined;
    });
  }

  async close(): Promise<void> {
    const reading = this.#restored?.watch.close();
    this.#server.close();
    await reading;
    this.#restored?.reconciler.close();
    await this.#restored?.store.close();
  }

  get #ready(): Restored {
    if (!this.#restored) throw new Error('The engine was not restored');
    return this.#restored;
  }

  async #openFeed({ reconciler, watch }: Restored): Promise<void> {
    const onReport = (name: string, handle: (session: RemoteSession) => void, digits?: string) => {
      watch.onEvent();
      const session = reconciler.named(name);
      if (session) handle(session);
      else if (!reconciler.omits(name, digits)) watch.readSoon();
    };
    await this.#server.events?.open({
      opened: () => watch.feedOpened(),
      closed: () => watch.feedClosed(),
      changed() {
        watch.onEvent();
        watch.readSoon();
      },
      status(name, status, account = {}) {
        const handle = (session: RemoteSession) => {
          const isItsOwn = isOf({ name, status, account }, session.numero, session.numero);
          // The linked number must be known before anything is sent from the session.
          const isWhose = status === 'connected' && session.isLinking && account.digits === undefined;
          if (!isWhose && (isItsOwn || session.isLinking)) session.onStatus(status, account);
          else watch.readSoon();
        };
        onReport(name, handle, account.digits);
      },
      removed: (name) =>
        onReport(name, (session) => {
          session.onRemoved();
          watch.readSoon();
        }),
      code: (name, code) => onReport(name, (session) => session.onCode(code)),
      ack(name, id, ack) {
        watch.onEvent();
        reconciler.named(name)?.onAck(id, ack);
      },
    });
  }

  /** Runs a request, and reads the list afterwards, since the server's events may be lost. */
  async #asking<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } finally {
      void this.#ready.watch.read();
    }
  }

  async #create(session: RemoteSession): Promise<void> {
    const { reconciler, store } = this.#ready;
    try {
      await session.create();
    } catch (error) {
      reconciler.drop(session.numero);
      await store.remove(session.numero);
      const isSingle = error instanceof RemoteError && error.failure === 'single';
      throw isSingle ? new SessionRefused('single', session.numero) : error;
    }
  }

  /** Deletes a session on the server, even if it is not listed here. */
  async #delete(numero: string): Promise<void> {
    const session = this.#ready.reconciler.get(numero);
    if (session) return session.remove();
    const listed = (await this.#server.list()).find((one) => isOf(one, numero));
    if (listed) await this.#server.remove(listed.name);
  }
}
