import { STATES, type WireSession } from '../../../src/wire.ts';
import type { Engine, Report } from './engine.ts';
import { type FailedContact, SendFailure, SessionRefused } from './errors.ts';
import { canonicalNumero, numeroKey } from './numbers.ts';
import { apply, isStopped, type Push, pushesTo } from './transitions.ts';
import { WorkQueue } from './work-queue.ts';

/** A start before the engine's first report. */
interface Attempt {
  /** Resolves with the numero under which the session is listed. */
  done: Promise<string>;
  overruled: boolean;
}

/**
 * Receives each push, with the session as it is listed after it and the other pushes of this moment; undefined once it
 * is removed.
 */
export type PushHandler = (push: Push, session: WireSession | undefined) => void;

/** What the calls of the contract need (spec §7). */
export interface Sessions {
  /** Lists the sessions that exist already. */
  restore(): Promise<void>;
  /** Whether sessions can be started and messages sent. */
  readonly isReady: boolean;
  /** Returns the current sessions (spec §3). */
  list(): WireSession[];
  /**
   * Starts or restarts a session. Resolves, when the engine has begun, with the numero under which it is listed: that
   * of the existing session, or else the canonical one. Rejects with `deleted` if a delete overruled it, with `draining`
   * after `drain`, with `moving` while another gateway takes the session over, or with the engine's own error.
   */
  start(typed: string): Promise<string>;
  /**
   * Unlinks a session and removes it from the list. Rejects with `unknown` if it is not listed, with `moving`, or with
   * the engine's own error; the session is then shown as before.
   */
  delete(typed: string): Promise<void>;
  /**
   * Sends a text to each number. Tries all of them; rejects with a `SendFailure` that names those that failed, or before
   * sending with `unknown`, `not-connected`, `moving` or, after `drain`, `draining`.
   */
  send(typed: string, contacts: readonly number[], text: string): Promise<void>;
  /** Refuses new starts and messages from now on. Resolves when those under way, and deletions, have settled. */
  drain(): Promise<void>;
  /** Closes the engine, once. */
  close(): Promise<void>;
}

/**
 * The list of sessions, and the one place that resolves crossing requests for a numero: requests run in order, a start
 * joins a pending one, and a delete overrules it. States follow spec §4; changes go to the panels through `push`. All
 * forms of one number are one session, listed under its first numero.
 */
export class SessionManager implements Sessions {
  readonly #engine: Engine;
  readonly #onPush: PushHandler;
  readonly #queue = new WorkQueue();
  /** By the numero's key, like all maps here. */
  readonly #attempts = new Map<string, Attempt>();
  /** Each start puts a new object here; reports that hold an older one are ignored. */
  readonly #sessions = new Map<string, WireSession>();
  /** Shown instead of a session while a delete is pending, which may fail and leave the session as it is. */
  readonly #closing = new Map<string, WireSession>();
  /** Starts, deletions and messages under way, with their keys. */
  readonly #work = new Map<Promise<unknown>, string>();
  /** Sessions that are being given up. */
  readonly #moving = new Set<string>();
  /** Sessions that were taken over from another gateway, until they are started anew. */
  readonly #adopted = new WeakSet<WireSession>();
  #restored = false;
  #draining = false;
  #closed: Promise<void> | undefined;

  constructor(engine: Engine, onPush: PushHandler) {
    this.#engine = engine;
    this.#onPush = onPush;
  }

  async restore(): Promise<void> {
    await this.#engine.restore((numero) => this.#begin(numero));
    this.#restored = true;
  }

  get isReady(): boolean {
    return this.#restored && !this.#draining && this.#closed === undefined;
  }

  list(): WireSession[] {
    return [...this.#sessions.keys()].flatMap((key) => this.#shown(key) ?? []);
  }

  /** Whether the session is on the list, in any form of its number. */
  has(typed: string): boolean {
    return this.#sessions.has(numeroKey(typed));
  }

  /** How many sessions are on the list. */
  get size(): number {
    return this.#sessions.size;
  }

  async start(typed: string): Promise<string> {
    if (this.#draining) throw new SessionRefused('draining', typed);
    const key = numeroKey(typed);
    this.#refuseMoving(key, typed);
    const underWay = this.#attempts.get(key);
    if (underWay) return underWay.done;

    const attempt: Attempt = { done: Promise.resolve(typed), overruled: false };
    attempt.done = this.#track(
      key,
      this.#queue.run(key, () => this.#attempt(typed, attempt)),
    );
    this.#attempts.set(key, attempt);
    return attempt.done;
  }

  async delete(typed: string): Promise<void> {
    const key = numeroKey(typed);
    this.#refuseMoving(key, typed);
    const attempt = this.#attempts.get(key);
    if (!attempt && !this.#sessions.has(key)) throw new SessionRefused('unknown', typed);

    if (attempt) attempt.overruled = true;
    this.#attempts.delete(key);
    this.#close(key);
    await this.#track(
      key,
      this.#queue.run(key, () => this.#remove(key)),
    );
  }

  async send(typed: string, contacts: readonly number[], text: string): Promise<void> {
    if (this.#draining) throw new SessionRefused('draining', typed);
    const key = numeroKey(typed);
    this.#refuseMoving(key, typed);
    const session = this.#shown(key);
    if (!session) throw new SessionRefused('unknown', typed);
    const { numero, state, waiting } = session;
    if (state !== STATES.connected) {
      const isArriving = waiting && this.#adopted.has(session);
      throw new SessionRefused(isArriving ? 'moving' : 'not-connected', numero);
    }

    const failed = await this.#track(key, this.#sendAll(numero, contacts.map(String), text));
    if (failed.length > 0) throw new SendFailure(failed);
  }

  async drain(): Promise<void> {
    this.#draining = true;
    while (this.#work.size > 0) await Promise.allSettled(this.#work.keys());
  }

  /**
   * Takes sessions over that another gateway carried, and that are in the store by now. Linked ones connect; of the
   * others, one that showed a code or was about to is disconnected, and one that ended for a reason stays as it is.
   */
  async adopt(sessions: readonly WireSession[]): Promise<void> {
    const resumed: WireSession[] = [];
    for (const session of sessions) {
      if (isStopped(session.state)) this.#list(session);
      else resumed.push(session);
    }
    await this.#engine.resume(
      resumed.map(({ numero }) => numero),
      (numero) => {
        const report = this.#begin(numero);
        const session = this.#sessions.get(numeroKey(numero));
        if (session) this.#adopted.add(session);
        return report;
      },
    );
    for (const { numero, qrCode } of resumed) {
      const key = numeroKey(numero);
      const session = this.#sessions.get(key);
      if (!session?.waiting) continue;
      if (qrCode !== undefined) this.#push({ event: 'disconnected', numero });
      this.#tell(key, [{ event: 'change_state', numero, state: session.state }]);
    }
  }

  /** The sessions that nobody would miss for a moment: no code on the screen, no link, no work under way. */
  get idle(): string[] {
    const busy = new Set(this.#work.values());
    return [...this.#sessions]
      .filter(([key]) => !busy.has(key) && !this.#attempts.has(key) && !this.#closing.has(key))
      .map(([, session]) => session)
      .filter(({ state, qrCode, waiting }) => {
        return !waiting && qrCode === undefined && state !== STATES.authenticating;
      })
      .map(({ numero }) => numero);
  }

  /**
   * Gives an idle session up, so that another gateway can take it over. Resolves with false, and has changed nothing, if
   * it is not idle by now.
   *
   * @param free makes it available to others, once nothing of it is left here
   */
  async release(numero: string, free: () => Promise<void>): Promise<boolean> {
    const key = numeroKey(numero);
    if (this.#moving.has(key) || !this.idle.includes(numero)) return false;
    this.#moving.add(key);
    try {
      await this.#queue.run(key, async () => {
        await this.#engine.release(numero);
        await free();
      });
      return true;
    } finally {
      this.#sessions.delete(key);
      this.#moving.delete(key);
    }
  }

  /** Gives a session up at once, whatever is under way. Resolves when its line is closed. */
  async abandon(numero: string): Promise<void> {
    const key = numeroKey(numero);
    this.#sessions.delete(key);
    this.#closing.delete(key);
    this.#attempts.delete(key);
    await this.#engine.release(numero);
  }

  close(): Promise<void> {
    this.#closed ??= Promise.resolve(this.#engine.close());
    return this.#closed;
  }

  #refuseMoving(key: string, typed: string): void {
    if (this.#moving.has(key)) throw new SessionRefused('moving', typed);
  }

  /** Returns a session as it is listed. */
  #shown(key: string): WireSession | undefined {
    return this.#closing.get(key) ?? this.#sessions.get(key);
  }

  #push(push: Push): void {
    this.#onPush(push, this.#shown(numeroKey(push.numero)));
  }

  #track<T>(key: string, work: Promise<T>): Promise<T> {
    this.#work.set(work, key);
    const settled = () => this.#work.delete(work);
    work.then(settled, settled);
    return work;
  }

  async #sendAll(numero: string, contacts: readonly string[], text: string): Promise<FailedContact[]> {
    const failed: FailedContact[] = [];
    for (const contact of contacts) {
      const delivery = await this.#engine.send(numero, contact, text);
      if (delivery !== 'sent') failed.push({ contact, reason: delivery });
    }
    return failed;
  }

  async #attempt(typed: string, attempt: Attempt): Promise<string> {
    if (attempt.overruled) throw new SessionRefused('deleted', typed);
    const numero = this.#sessions.get(numeroKey(typed))?.numero ?? canonicalNumero(typed);
    try {
      this.#takeDown(numero);
      const report = this.#begin(numero, attempt);
      this.#push({ event: 'change_state', numero, state: STATES.authenticating });
      await this.#engine.start(numero, report);
    } catch (error) {
      this.#settle(numero, attempt);
      this.#fail(numero);
      if (!attempt.overruled) throw error;
    }
    if (attempt.overruled) throw new SessionRefused('deleted', numero);
    return numero;
  }

  /** Lists a new session, and returns its report, which is ignored once another session has replaced it. */
  #begin(numero: string, attempt?: Attempt): Report {
    const session = this.#list({ numero, state: STATES.authenticating, waiting: true });
    const key = numeroKey(numero);
    return (event) => {
      if (this.#sessions.get(key) !== session) return;
      if (attempt) this.#settle(numero, attempt);
      this.#tell(key, apply(session, event));
    };
  }

  /** Replaces the session with the same numero, or appends it. */
  #list(session: WireSession): WireSession {
    this.#sessions.set(numeroKey(session.numero), session);
    return session;
  }

  /** Ends an attempt: the next start is a new one. A queued attempt stays, for later starts to join. */
  #settle(numero: string, attempt: Attempt): void {
    const key = numeroKey(numero);
    if (this.#attempts.get(key) === attempt) this.#attempts.delete(key);
  }

  /** Removes a void code from the panels: only the end of a session does that. */
  #takeDown(numero: string): void {
    const session = this.#sessions.get(numeroKey(numero));
    if (session?.qrCode !== undefined) this.#push({ event: 'disconnected', numero });
  }

  /** Shows a pending delete, and from here on no report of the engine. */
  #close(key: string): void {
    const session = this.#sessions.get(key);
    if (!session || this.#closing.has(key)) return;
    const { numero } = session;
    this.#takeDown(numero);
    this.#closing.set(key, { numero, state: STATES.closing, waiting: true });
    this.#push({ event: 'change_state', numero, state: STATES.closing });
  }

  async #remove(key: string): Promise<void> {
    // A failed delete before this one has restored the session.
    this.#close(key);
    const session = this.#sessions.get(key);
    if (!session) return;
    const { numero } = session;
    try {
      await this.#engine.remove(numero);
    } catch (error) {
      this.#closing.delete(key);
      this.#tell(key, pushesTo(session));
      throw error;
    }
    this.#closing.delete(key);
    this.#sessions.delete(key);
    // The contract has no event for a removal: other panels at least learn that the session is disconnected.
    this.#push({ event: 'disconnected', numero });
  }

  #fail(numero: string): void {
    this.#list({ numero, state: STATES.disconnected, waiting: false });
    this.#tell(numeroKey(numero), [{ event: 'disconnected', numero }]);
  }

  #tell(key: string, pushes: readonly Push[]): void {
    if (this.#closing.has(key)) return;
    for (const push of pushes) this.#push(push);
  }
}
