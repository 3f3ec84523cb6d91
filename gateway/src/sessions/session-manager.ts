import { STATES, type WireSession } from '../../../src/wire.ts';
import type { Engine, Report } from './engine.ts';
import { type FailedContact, SendFailure, SessionRefused } from './errors.ts';
import { canonicalNumero, numeroKey } from './numbers.ts';
import { apply, type Push } from './transitions.ts';
import { WorkQueue } from './work-queue.ts';

/** A start before the engine's first report. */
interface Attempt {
  /** Resolves with the numero under which the session is listed. */
  done: Promise<string>;
  overruled: boolean;
}

/**
 * The list of sessions, and the one place that resolves crossing requests for a numero: requests run in order, a start
 * joins a pending one, and a delete overrules it. States follow spec §4; changes go to the panels through `push`. All
 * forms of one number are one session, listed under its first numero.
 */
export class SessionManager {
  readonly #engine: Engine;
  readonly #push: (push: Push) => void;
  readonly #queue = new WorkQueue();
  /** By the numero's key, like all maps here. */
  readonly #attempts = new Map<string, Attempt>();
  /** Each start puts a new object here; reports that hold an older one are ignored. */
  readonly #sessions = new Map<string, WireSession>();
  /** Shown instead of a session while a delete is pending, which may fail and leave the session as it is. */
  readonly #closing = new Map<string, WireSession>();
  /** Starts, deletions and messages under way. */
  readonly #work = new Set<Promise<unknown>>();
  #restored = false;
  #draining = false;
  #closed: Promise<void> | undefined;

  constructor(engine: Engine, push: (push: Push) => void) {
    this.#engine = engine;
    this.#push = push;
  }

  /** Lists the sessions that the engine already has. */
  async restore(): Promise<void> {
    await this.#engine.restore((numero) => this.#begin(numero));
    this.#restored = true;
  }

  /** Whether sessions can be started and messages sent. */
  get isReady(): boolean {
    return this.#restored && !this.#draining && this.#closed === undefined;
  }

  /** Returns the current sessions (spec §3). */
  list(): WireSession[] {
    return [...this.#sessions].map(([key, session]) => this.#closing.get(key) ?? session);
  }

  /**
   * Starts or restarts a session. Resolves, when the engine has begun, with the numero under which it is listed: that
   * of the existing session, or else the canonical one. Rejects with `deleted` if a delete overruled it, with `draining`
   * after `drain`, or with the engine's own error.
   */
  async start(typed: string): Promise<string> {
    if (this.#draining) throw new SessionRefused('draining', typed);
    const key = numeroKey(typed);
    const underWay = this.#attempts.get(key);
    if (underWay) return underWay.done;

    const attempt: Attempt = { done: Promise.resolve(typed), overruled: false };
    attempt.done = this.#track(this.#queue.run(key, () => this.#attempt(typed, attempt)));
    this.#attempts.set(key, attempt);
    return attempt.done;
  }

  /**
   * Unlinks a session and removes it from the list. Rejects with `unknown` if it is not listed, or with the engine's
   * own error; the session is then shown as before.
   */
  async delete(typed: string): Promise<void> {
    const key = numeroKey(typed);
    const attempt = this.#attempts.get(key);
    if (!attempt && !this.#sessions.has(key)) throw new SessionRefused('unknown', typed);

    if (attempt) attempt.overruled = true;
    this.#attempts.delete(key);
    this.#close(key);
    await this.#track(this.#queue.run(key, () => this.#remove(key)));
  }

  /**
   * Sends a text to each number. Tries all of them; rejects with a {@link SendFailure} that names those that failed, or
   * before sending with `unknown`, `not-connected` or, after `drain`, `draining`.
   */
  async send(typed: string, contacts: readonly number[], text: string): Promise<void> {
    if (this.#draining) throw new SessionRefused('draining', typed);
    const key = numeroKey(typed);
    const session = this.#closing.get(key) ?? this.#sessions.get(key);
    if (!session) throw new SessionRefused('unknown', typed);
    const { numero, state } = session;
    if (state !== STATES.connected) throw new SessionRefused('not-connected', numero);

    const failed = await this.#track(this.#sendAll(numero, contacts.map(String), text));
    if (failed.length > 0) throw new SendFailure(failed);
  }

  /** Refuses new starts and messages from now on. Resolves when those under way, and deletions, have settled. */
  async drain(): Promise<void> {
    this.#draining = true;
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
  }

  /** Closes the engine, once. */
  close(): Promise<void> {
    this.#closed ??= Promise.resolve(this.#engine.close());
    return this.#closed;
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#work.add(work);
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

/** Returns the pushes that bring panels from a pending delete back to the session. */
function pushesTo({ numero, state, qrCode, waiting }: WireSession): Push[] {
  if (qrCode !== undefined) return [{ event: 'qr', numero, code: qrCode }];
  if (state === STATES.connected) return [{ event: 'ready', numero }];
  const stated: Push = { event: 'change_state', numero, state };
  if (waiting) return [stated];
  // Only `disconnected` ends the waiting, and it sets that state.
  const ended: Push = { event: 'disconnected', numero };
  return state === STATES.disconnected ? [ended] : [ended, stated];
}
