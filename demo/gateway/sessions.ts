import { STATES, type WireSession } from '../../src/wire.ts';
import type { Engine, Report } from './engine.ts';
import { type FailedContact, SendFailure, SessionRefusal } from './errors.ts';
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
  /** Each start and each delete puts a new object here: a report that holds an older one comes too late. */
  readonly #sessions = new Map<string, WireSession>();

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
    return [...this.#sessions.values()];
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

  /** Unlinks a session and takes it off the list. Rejects with `unknown` when it is not on it. */
  async delete(typed: string): Promise<void> {
    const key = numeroKey(typed);
    const attempt = this.#attempts.get(key);
    const session = this.#sessions.get(key);
    if (!attempt && !session) throw new SessionRefusal('unknown', typed);

    if (attempt) attempt.overruled = true;
    this.#attempts.delete(key);
    if (session) this.#close(session.numero);
    await this.#queue.run(key, () => this.#remove(key));
  }

  /**
   * Sends a text to each number. Each one is tried; rejects with a {@link SendFailure} that names those that
   * failed, or before any is tried with `unknown` or `not-connected`.
   */
  async send(typed: string, contacts: readonly number[], text: string): Promise<void> {
    const session = this.#sessions.get(numeroKey(typed));
    if (!session) throw new SessionRefusal('unknown', typed);
    const { numero, state } = session;
    if (state !== STATES.connected) throw new SessionRefusal('not-connected', numero);

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
    if (attempt.overruled) throw new SessionRefusal('deleted', typed);
    const numero = this.#sessions.get(numeroKey(typed))?.numero ?? canonicalNumero(typed);
    try {
      this.#takeDown(numero);
      const report = this.#begin(numero, attempt);
      this.#push({ event: 'change_state', numero, state: STATES.authenticating });
      await this.#engine.start(numero, report);
    } catch (error) {
      if (!attempt.overruled) {
        this.#settle(numero, attempt);
        this.#fail(numero);
        throw error;
      }
    }
    if (attempt.overruled) throw new SessionRefusal('deleted', numero);
    return numero;
  }

  /** Lists a session that begins, and gives what hears about it for as long as it is this one. */
  #begin(numero: string, attempt?: Attempt): Report {
    const session = this.#list({ numero, state: STATES.authenticating, waiting: true });
    const key = numeroKey(numero);
    return (event) => {
      if (this.#sessions.get(key) !== session) return;
      if (attempt) this.#settle(numero, attempt);
      for (const push of apply(session, event)) this.#push(push);
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

  /** Shows that a delete is under way, and ends what the engine may still report. */
  #close(numero: string): void {
    this.#takeDown(numero);
    this.#list({ numero, state: STATES.closing, waiting: true });
    this.#push({ event: 'change_state', numero, state: STATES.closing });
  }

  async #remove(key: string): Promise<void> {
    const session = this.#sessions.get(key);
    if (!session) return;
    const { numero } = session;
    try {
      await this.#engine.remove(numero);
    } catch (error) {
      this.#fail(numero);
      throw error;
    }
    this.#sessions.delete(key);
    // The contract has no word for "removed": other panels at least learn that it is no longer connected.
    this.#push({ event: 'disconnected', numero });
  }

  #fail(numero: string): void {
    this.#list({ numero, state: STATES.disconnected, waiting: false });
    this.#push({ event: 'disconnected', numero });
  }
}
