import type { Logger } from 'pino';
import type { Ack, Delivery, Engine, Pairing, Report } from '../../sessions/engine.ts';
import { NotLinked, NotPairable, SessionRefused, StoreError } from '../../sessions/errors.ts';
import { sameNumero } from '../../sessions/numbers.ts';
import type { SqliteStore } from '../../store/sqlite-store.ts';
import { RemoteError } from './errors.ts';
import { ListWatch, WATCH_TIMINGS, type WatchTimings } from './list-watch.ts';
import { isOf } from './numero.ts';
import { Roster } from './roster.ts';
import type { ListedSession, RemoteServer } from './server.ts';
import type { RemoteSession } from './session.ts';
import { inTurns } from './turns.ts';

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
  readonly store: SqliteStore;
  readonly roster: Roster;
  readonly watch: ListWatch;
}

/** Carries the sessions of another server; the list is always that server's. */
export class RemoteEngine implements Engine {
  readonly #server: RemoteServer;
  readonly #openStore: () => Promise<SqliteStore>;
  readonly #options: EngineOptions;
  readonly #log: Logger;
  readonly #inTurn: <T>(task: () => Promise<T>) => Promise<T>;
  #restored: Restored | undefined;

  /**
   * @param openStore opens the store for the data about their sessions; called once, by `restore`
   * @param log the operator log
   */
  constructor(
    server: RemoteServer,
    openStore: () => Promise<SqliteStore>,
    options: EngineOptions,
    log: Logger,
  ) {
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
    await unlistAgain(store);
    const log = this.#log;
    const roster = new Roster(this.#server, store, resume, { held, untold: () => watch.untold(), log });
    const handlers = {
      asked: () => roster.asked(),
      listed: (sessions: readonly ListedSession[]) => roster.compare(sessions),
      lost: () => {
        for (const session of roster.all) session.hear('unknown');
      },
    };
    const watch = new ListWatch(this.#server, handlers, { ...WATCH_TIMINGS, ...timings }, log);
    this.#restored = { store, roster, watch };
    await Promise.all([this.#openFeed(this.#restored), watch.read()]);
    if (watch.isFailing) roster.listKept();
  }

  async start(numero: string, report: Report): Promise<void> {
    const { roster } = this.#ready;
    if ((await this.#options.held()).some((one) => sameNumero(one, numero))) {
      throw new SessionRefused('held', numero);
    }
    const begin = async () => {
      const known = roster.get(numero);
      if (known) return this.#asking(() => known.start(report));
      const listed = (await this.#server.list()).find((session) => isOf(session, numero));
      await roster.keep(numero);
      const session = roster.add(listed?.name ?? numero.replace(/\D/g, ''), numero, report);
      if (!listed) return this.#asking(() => this.#create(session));
      // A session that already works was not ours to restart.
      if (listed.status) session.listed(listed.status, listed.account);
      if (session.isDown) await this.#asking(() => session.start(report));
    };
    await roster.claiming(numero, () => this.#inTurn(begin));
  }

  async remove(numero: string): Promise<void> {
    const { roster, store } = this.#ready;
    const { allowDelete } = this.#options;
    if (allowDelete) await this.#delete(numero);
    await roster.claiming(numero, async () => {
      await (allowDelete ? store.remove(numero) : store.unlist([numero]));
      roster.drop(numero);
    });
  }

  async unlink(numero: string): Promise<void> {
    const session = this.#ready.roster.get(numero);
    if (!session) throw new NotLinked();
    await this.#asking(() => session.unlink());
  }

  async pair(numero: string): Promise<Pairing> {
    const session = this.#ready.roster.get(numero);
    if (!session) throw new NotPairable('not-waiting');
    return this.#asking(() => session.pair());
  }

  async send(numero: string, to: string, text: string, acked: (ack: Ack) => void): Promise<Delivery> {
    return this.#ready.roster.get(numero)?.send(to, text, acked) ?? 'not-connected';
  }

  async close(): Promise<void> {
    const reading = this.#restored?.watch.close();
    this.#server.close();
    await reading;
    this.#restored?.roster.close();
    await this.#restored?.store.close();
  }

  get #ready(): Restored {
    if (!this.#restored) throw new Error('The engine was not restored');
    return this.#restored;
  }

  async #openFeed({ roster, watch }: Restored): Promise<void> {
    const heard = (name: string, hear: (session: RemoteSession) => void, digits?: string) => {
      watch.heard();
      const session = roster.named(name);
      if (session?.changes.takes()) hear(session);
      // For a session that changes all the time, the list decides.
      else if (session) watch.hint();
      else if (!roster.omits(name, digits)) watch.hint();
    };
    await this.#server.events?.open({
      opened: () => watch.feedOpened(),
      closed: (isFlooded) => watch.feedClosed(isFlooded),
      changed: () => {
        watch.heard();
        watch.hint();
      },
      status(name, status, account = {}) {
        const hear = (session: RemoteSession) => {
          const isItsOwn = isOf({ name, status, account }, session.numero, session.numero);
          // The linked number must be known before anything is sent from the session.
          const isWhose = status === 'connected' && session.isLinking && account.digits === undefined;
          if (!isWhose && (isItsOwn || session.isLinking)) session.hear(status, account);
          else watch.hint();
        };
        heard(name, hear, account.digits);
      },
      removed: (name) =>
        heard(name, (session) => {
          session.leave();
          watch.hint();
        }),
      code: (name, code) => heard(name, (session) => session.show(code)),
      ack(name, id, ack) {
        watch.heard();
        roster.named(name)?.acked(id, ack);
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
    const { roster, store } = this.#ready;
    try {
      await session.create();
    } catch (error) {
      roster.drop(session.numero);
      await store.remove(session.numero);
      const isSingle = error instanceof RemoteError && error.failure === 'single';
      throw isSingle ? new SessionRefused('single', session.numero) : error;
    }
  }

  /** Deletes a session on the server, even if it is not listed here. */
  async #delete(numero: string): Promise<void> {
    const session = this.#ready.roster.get(numero);
    if (session) return session.remove();
    const listed = (await this.#server.list()).find((one) => isOf(one, numero));
    if (listed) await this.#server.remove(listed.name);
  }
}

/** Completes a deletion that a kill or the disk has interrupted. */
async function unlistAgain(store: SqliteStore): Promise<void> {
  const unlisted = store.sessions().filter(({ leaving }) => leaving);
  try {
    await store.unlist(unlisted.map(({ numero }) => numero));
  } catch (error) {
    // Already logged; the next start of the gateway tries again.
    if (!(error instanceof StoreError)) throw error;
  }
}
