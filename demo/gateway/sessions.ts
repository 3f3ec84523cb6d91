import { STATES, type WireSession } from '../../src/wire.ts';
import type { Engine, Report } from './engine.ts';
import { type FailedContact, SendFailure, SessionRefused } from './errors.ts';
import { canonicalNumero, numeroKey } from './numbers.ts';
import { apply, type Push } from './transitions.ts';
import { WorkQueue } from './work-queue.ts';

/** A start that is still waiting for the engine's first word. */
interface Attempt {
  /** Gives the numero under which the session is listed. */
  done: Promise<string>;
  overruled: boolean;
}

/**
 * The list of sessions, and the one place that decides what happens when requests about the same numero
 * cross: work is done in the order in which it was asked for, a start joins the one under way, and a delete
 * overrules it. State follows spec §4; panels are told through `push`. All forms of one number are one
 * session, listed under the numero that it came with.
 */
export class SessionManager {
  readonly #engine: Engine;
  readonly #push: (push: Push) => void;
  readonly #queue = new WorkQueue();
  /** By key of the numero, as all maps here. */
  readonly #attempts = new Map<string, Attempt>();
  /** Each start puts a new object here: a report that holds an older one comes too late. */
  readonly #sessions = new Map<string, WireSession>();
  /** What is shown in place of a session while a delete is under way, which may fail and leave it as it is. */
  readonly #closing = new Map<string, WireSession>();

  constructor(engine: Engine, push: (push: Push) => void) {
    this.#engine = engine;
    this.#push = push;
  }

  /** Lists the sessions that the engine already has. */
  async restore(): Promise<void> {
    await this.#engine.restore((numero) => this.#begin(numero));
  }

  /** Every session as it is now (spec §3). */
  list(): WireSession[] {
    return [...this.#sessions].map(([key, session]) => this.#closing.get(key) ?? session);
  }

  /**
   * Starts a session, or starts it over, and gives the numero under which it is listed: that of the session
   * that exists already, else the canonical one. Resolves when the engine is at it. Rejects with `deleted`
   * when a delete overruled it, or with the engine's own failure.
   */
  start(typed: string): Promise<string> {
    const key = numeroKey(typed);
    const underWay = this.#attempts.get(key);
    if (underWay) return underWay.done;

    const attempt: Attempt = { done: Promise.resolve(typed), overruled: false };
    attempt.done = this.#queue.run(key, () => this.#attempt(typed, attempt));
    this.#attempts.set(key, attempt);
    return attempt.done;
  }

  /**
   * Unlinks a session and takes it off the list. Rejects with `unknown` when it is not on it, or with the engine's
   * own failure; then it is again what the engine says of it.
   */
  async delete(typed: string): Promise<void> {
    const key = numeroKey(typed);
    const attempt = this.#attempts.get(key);
    if (!attempt && !this.#sessions.has(key)) throw new SessionRefused('unknown', typed);

    if (attempt) attempt.overruled = true;
    this.#attempts.delete(key);
    this.#close(key);
    await this.#queue.run(key, () => this.#remove(key));
  }

  /**
   * Sends a text to each number. Each one is tried; rejects with a {@link SendFailure} that names those that
   * failed, or before any is tried with `unknown` or `not-connected`.
   */
  async send(typed: string, contacts: readonly number[], text: string): Promise<void> {
    const key = numeroKey(typed);
    const session = this.#closing.get(key) ?? this.#sessions.get(key);
    if (!session) throw new SessionRefused('unknown', typed);
    const { numero, state } = session;
    if (state !== STATES.connected) throw new SessionRefused('not-connected', numero);

    const failed: FailedContact[] = [];
    for (const contact of contacts.map(String)) {
      const delivery = await this.#engine.send(numero, contact, text);
      if (delivery !== 'sent') failed.push({ contact, reason: delivery });
    }
    if (failed.length > 0) throw new SendFailure(failed);
  }

  async close(): Promise<void> {
    await this.#engine.close();
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

  /** Lists a session that begins, and gives what hears about it for as long as it is this one. */
  #begin(numero: string, attempt?: Attempt): Report {
    const session = this.#list({ numero, state: STATES.authenticating, waiting: true });
    const key = numeroKey(numero);
    return (event) => {
      if (this.#sessions.get(key) !== session) return;
      if (attempt) this.#settle(numero, attempt);
      this.#tell(key, apply(session, event));
    };
  }

  /** Puts the session in the place of the one with the same numero, or at the end. */
  #list(session: WireSession): WireSession {
    this.#sessions.set(numeroKey(session.numero), session);
    return session;
  }

  /** From here on a start is a new attempt; one that is queued behind this one stays what later starts join. */
  #settle(numero: string, attempt: Attempt): void {
    const key = numeroKey(numero);
    if (this.#attempts.get(key) === attempt) this.#attempts.delete(key);
  }

  /** Takes a code off the panels that nobody can scan any more: only the end of a session does that. */
  #takeDown(numero: string): void {
    const session = this.#sessions.get(numeroKey(numero));
    if (session?.qrCode !== undefined) this.#push({ event: 'disconnected', numero });
  }

  /** Shows that a delete is under way, and from here on nothing of what the engine reports. */
  #close(key: string): void {
    const session = this.#sessions.get(key);
    if (!session || this.#closing.has(key)) return;
    const { numero } = session;
    this.#takeDown(numero);
    this.#closing.set(key, { numero, state: STATES.closing, waiting: true });
    this.#push({ event: 'change_state', numero, state: STATES.closing });
  }

  async #remove(key: string): Promise<void> {
    // It is shown again when a delete before this one has failed.
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
    // The contract has no word for "removed": other panels at least learn that it is no longer connected.
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

/** What brings panels that show a delete to what the session is. */
function pushesTo({ numero, state, qrCode, waiting }: WireSession): Push[] {
  if (qrCode !== undefined) return [{ event: 'qr', numero, code: qrCode }];
  if (state === STATES.connected) return [{ event: 'ready', numero }];
  const stated: Push = { event: 'change_state', numero, state };
  if (waiting) return [stated];
  // Nothing else ends the waiting, and it ends in that state.
  const ended: Push = { event: 'disconnected', numero };
  return state === STATES.disconnected ? [ended] : [ended, stated];
}
