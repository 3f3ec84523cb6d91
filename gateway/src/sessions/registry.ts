import {
  STATES,
  type WireDetails,
  type WireHistoryEntry,
  type WireListItem,
  type WireNaming,
  type WirePairing,
} from '../../../src/wire.ts';
import { canonicalNumero, numeroKey } from '../numbers.ts';
import type { BatchWriter } from './batch-writer.ts';
import type { Cluster } from './cluster.ts';
import type { PasskeyAssertion, PasskeyChallenge } from './engine.ts';
import type { EngineObserver } from './engine-news.ts';
import { SessionRefused } from './errors.ts';
import { historyWriter, type PendingEntry } from './history-writer.ts';
import type { SentLink } from './links.ts';
import { isStopped } from './reasons.ts';
import { Session, type SessionParts } from './session.ts';
import { StabilityReader } from './stability.ts';
import type { Push } from './transitions.ts';

export interface RegistryParts extends Pick<SessionParts, 'engine' | 'ledger' | 'name'> {
  readonly cluster: Cluster;
  /** How long a session may be silent before it is probed, in milliseconds; 0 for ever. */
  readonly probe: number;
  /** Observes what happens to the sessions of this process. */
  readonly observe?: (session: Session, push: Push) => void;
  /** Observes what happens at the engine. */
  readonly observeEngine?: EngineObserver;
}

/**
 * The sessions of the contract and its extensions (docs/contract.md): those that this process owns, and, through its
 * cluster, those of the other gateways. All forms of one number are one session, listed under its first numero.
 */
export class Registry {
  readonly #parts: RegistryParts;
  readonly #history: BatchWriter<PendingEntry>;
  readonly #sessionParts: SessionParts;
  readonly #stability = new StabilityReader(() => this.all);
  readonly #probing: NodeJS.Timeout | undefined;
  /** Those of this process, by the numero's key; new ones are not listed yet. */
  readonly #sessions = new Map<string, Session>();
  /** Requests under way, with their sessions' keys. */
  readonly #work = new Map<Promise<unknown>, string>();
  #isRestored = false;
  #isDraining = false;
  #closed: Promise<void> | undefined;

  constructor(parts: RegistryParts) {
    this.#parts = parts;
    const { engine, ledger, cluster, name, probe, observe, observeEngine = () => {} } = parts;
    this.#history = historyWriter(ledger);
    this.#probing = probe > 0 ? probing(() => this.all, probe) : undefined;
    this.#sessionParts = {
      engine,
      ledger,
      history: this.#history,
      stability: this.#stability,
      name,
      observe: observeEngine,
      acquire: (session) => cluster.acquire(session),
      publish(session, push) {
        cluster.publish(session, push);
        observe?.(session, push);
      },
      ended: (session) => {
        if (this.find(session.numero) === session) this.#sessions.delete(session.key);
      },
    };
  }

  /** Lists the sessions that exist already. Rejects with the engine's own error, or the cluster's. */
  async restore(): Promise<void> {
    const { engine, cluster } = this.#parts;
    await cluster.open();
    await engine.restore((numero) => {
      return this.#at(numero).resume(this.#isRestored ? 'appeared' : 'restored');
    });
    this.#isRestored = true;
    const recalled = this.all.map(async ({ shown, record }) => {
      if (shown?.state === STATES.disconnected) await record.recall(shown);
    });
    // Failures are logged by the store.
    await Promise.allSettled(recalled);
  }

  /** Whether sessions can be started and messages sent. */
  get isReady(): boolean {
    const { cluster } = this.#parts;
    return this.#isRestored && !this.#isDraining && this.#closed === undefined && cluster.isReady;
  }

  /** Returns the current sessions, of all gateways. */
  list(): WireListItem[] {
    return this.#parts.cluster.list();
  }

  /** Returns the session of any gateway by any form of its numero. */
  get(typed: string): WireListItem | undefined {
    return this.#parts.cluster.get(typed);
  }

  /** The sessions that this process owns, as they are listed. */
  get own(): WireListItem[] {
    return this.all.flatMap(({ shown }) => shown ?? []);
  }

  /** The sessions of this process, new ones included. */
  get all(): Session[] {
    return [...this.#sessions.values()];
  }

  /** The session of this process in any form of its number. */
  find(typed: string): Session | undefined {
    return this.#sessions.get(numeroKey(typed));
  }

  /** How many sessions this process owns, or is about to. */
  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Starts or restarts a session. Resolves, when the engine has begun, with the numero under which it is listed: that of
   * the existing session, or else the canonical one. Rejects with `deleted` if a deletion overruled it, with `draining`
   * after `drain`, with `moving` while another gateway takes the session over, or with the engine's own error.
   *
   * @param by who asks for it; undefined for this gateway, here and below
   */
  start(typed: string, by?: string): Promise<string> {
    return this.#settled(typed, async () => {
      if (this.#isDraining) throw new SessionRefused('draining', typed);
      for (;;) {
        const session = this.#at(canonicalNumero(typed));
        if ((await session.start(by)) === 'begun') return session.numero;
      }
    });
  }

  /**
   * Unlinks a session and removes it from the list. Rejects with `unknown` if it is not listed, with `moving`, or with
   * the engine's own error; the session is then shown as before.
   */
  delete(typed: string, by?: string): Promise<void> {
    return this.#settled(typed, () => this.#known(typed).delete(by));
  }

  /**
   * Sends a text to each number, and returns an id for the acks that are pushed. Tries all of them; rejects with a
   * `SendFailure` that names those that failed, or before sending with `unknown`, `not-connected`, `moving` or, after
   * `drain`, `draining`.
   */
  send(typed: string, contacts: readonly number[], text: string): Promise<string> {
    return this.#tracked(typed, async () => {
      if (this.#isDraining) throw new SessionRefused('draining', typed);
      return this.#known(typed).send(contacts, text);
    });
  }

  /**
   * Changes the operators' names and the proxy of a session, and returns its details. Rejects with a `ProxyError` if the
   * proxy does not work, or with `no-proxies`: then nothing has changed. Rejects with `unknown`, `moving` or a
   * `StoreError` as well, like all methods below.
   */
  describe(typed: string, naming: WireNaming, by?: string): Promise<WireDetails> {
    return this.#settled(typed, () => this.#known(typed).describe(naming, by));
  }

  /** Returns entries of a session's history, the newest first. @param before only older ones, in milliseconds since 1970 */
  async history(typed: string, limit: number, before?: number): Promise<WireHistoryEntry[]> {
    return this.#known(typed).record.history(limit, before);
  }

  /** Unlinks a session, which stays on the list. Rejects with `not-linked` as well. */
  unlink(typed: string, by?: string): Promise<void> {
    return this.#settled(typed, () => this.#known(typed).unlink(by));
  }

  /** Returns a code to type on the phone. Rejects with `not-pairable` or `no-pairing-code` as well. */
  pair(typed: string): Promise<WirePairing> {
    return this.#settled(typed, () => this.#known(typed).pair());
  }

  /** Returns what the passkey of the session's account has to sign. Rejects with `no-passkey-step` as well. */
  async passkeyChallenge(typed: string): Promise<PasskeyChallenge> {
    return this.#known(typed).passkeyChallenge();
  }

  /**
   * Goes on with the step of a passkey: with its signature, or without one once somebody has compared the codes. Rejects
   * with `no-passkey-step` as well.
   */
  passkey(typed: string, assertion?: PasskeyAssertion): Promise<void> {
    return this.#settled(typed, () => this.#known(typed).passkey(assertion));
  }

  /** Creates a link for the person with the phone, which ends an earlier one. Rejects with `connected` as well. */
  createLink(typed: string, by?: string): Promise<SentLink> {
    return this.#settled(typed, async () => {
      const { shown, numero, record } = this.#known(typed);
      if (shown?.state === STATES.connected) throw new SessionRefused('connected', numero);
      return record.createLink(by);
    });
  }

  /** Ends the session's link, if one is valid. */
  revokeLink(typed: string, by?: string): Promise<void> {
    return this.#settled(typed, async () => this.#known(typed).record.revokeLink(by));
  }

  /** Records that the session's link was opened. */
  linkOpened(numero: string): Promise<void> {
    return this.#parts.cluster.linkOpened(numero);
  }

  /** Returns the numero of the session whose link has a token with this hash. */
  linked(hash: string): Promise<string | undefined> {
    return this.#parts.cluster.linked(hash);
  }

  /** The code to type on the session's phone, while there is one. */
  pairing(numero: string): WirePairing | undefined {
    return this.#parts.cluster.pairing(numero);
  }

  /**
   * Takes over sessions that another gateway owned, and that are now in the store. Linked ones connect. Others that
   * showed a code, or were about to, are disconnected; those that ended for a reason stay as they are.
   */
  async adopt(sessions: readonly WireListItem[]): Promise<void> {
    const stopped = sessions.filter(({ state }) => isStopped(state));
    for (const session of stopped) this.#at(session.numero).keep(session);
    const resumed = sessions.filter((session) => !stopped.includes(session));
    const left = new Map(resumed.map((session) => [session.numero, session]));
    await this.#parts.engine.resume?.([...left.keys()], (numero) =>
      this.#at(numero).resume('moved', left.get(numero)),
    );
    for (const before of resumed) this.find(before.numero)?.tellAdopted(before);
  }

  /** The sessions that can be interrupted for a moment: no code on the screen, no link, no request under way. */
  get idle(): Session[] {
    const busy = new Set(this.#work.values());
    return this.all.filter((session) => session.isIdle && !busy.has(session.key));
  }

  /**
   * Gives an idle session up, so that another gateway can take it over. Resolves with false, and changes nothing, if it
   * is no longer idle.
   *
   * @param free makes it available to others, once this process has released it
   */
  async release(session: Session, free: () => Promise<void>): Promise<boolean> {
    if (!this.idle.includes(session)) return false;
    await session.release(free);
    return true;
  }

  /** Releases a session at once, whatever is under way. Resolves when its connection is closed. */
  async abandon(numero: string): Promise<void> {
    const { engine, observeEngine } = this.#parts;
    this.find(numero)?.end();
    await engine.release?.(numero);
    observeEngine?.(numero, { type: 'released' });
  }

  /** Refuses new starts and messages from now on. Resolves when those under way, and deletions, have settled. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#parts.cluster.drain();
    while (this.#work.size > 0) await Promise.allSettled(this.#work.keys());
  }

  /** Writes the histories, or what can be written of them, and closes the engine; once. */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  /** Resolves once the histories so far are written, or the next attempt to do so has failed. */
  flush(): Promise<void> {
    return this.#history.flush();
  }

  async #end(): Promise<void> {
    clearInterval(this.#probing);
    this.#stability.close();
    await this.#parts.cluster.close();
    await this.#history.close();
    for (const session of this.all) session.close();
    await this.#parts.engine.close();
  }

  /** Returns a session of this process; refuses those of others, and those that are being released. */
  #known(typed: string): Session {
    const session = this.find(typed);
    if (!session) throw this.#parts.cluster.refusal(typed);
    session.refuseMoving();
    return session;
  }

  /** Returns the session of this process, or a new one. */
  #at(numero: string): Session {
    const known = this.find(numero);
    if (known) return known;
    const session = new Session(numero, this.#sessionParts);
    this.#sessions.set(session.key, session);
    return session;
  }

  /** Like {@link #tracked}; resolves once the panels of this gateway have what the request changed. */
  async #settled<T>(typed: string, request: () => Promise<T>): Promise<T> {
    const result = await this.#tracked(typed, request);
    await this.#parts.cluster.settled();
    return result;
  }

  /** Runs a request, for which a drain waits. */
  async #tracked<T>(typed: string, request: () => Promise<T>): Promise<T> {
    const work = request();
    this.#work.set(work, numeroKey(typed));
    try {
      return await work;
    } finally {
      this.#work.delete(work);
    }
  }
}

/** Looks for sessions to probe this often, in milliseconds. */
const TICK = 1_000;

/**
 * Probes, until the timer is cleared, sessions of which nothing was heard for an interval in milliseconds. No more are
 * probed at once than in any other second, so that sessions that connect together are not probed together.
 */
function probing(sessions: () => readonly Session[], interval: number): NodeJS.Timeout {
  const tick = Math.min(TICK, interval);
  return setInterval(() => {
    const all = sessions();
    const most = Math.ceil((all.length * tick) / interval);
    const due = all.flatMap(({ health }) => (health.silence >= interval ? health : []));
    due.sort((one, other) => other.silence - one.silence);
    for (const health of due.slice(0, most)) void health.probe();
  }, tick).unref();
}
