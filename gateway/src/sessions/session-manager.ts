import { randomUUID } from 'node:crypto';
import {
  type AckStatus,
  STATES,
  type WireDetails,
  type WireHistoryEntry,
  type WireListItem,
  type WireNaming,
  type WirePairing,
} from '../../../src/wire.ts';
import type { ArchiveLedger } from '../ledger/archive.ts';
import { detailsOf } from './details.ts';
import type { Engine, EngineEvent, Report } from './engine.ts';
import { type FailedContact, NotLinked, NotPairable, SendFailure, SessionRefused } from './errors.ts';
import type { SentLink } from './links.ts';
import { canonicalNumero, numeroKey } from './numbers.ts';
import { NOT_STARTED } from './reasons.ts';
import { SessionDetails } from './session-details.ts';
import type { Sessions } from './sessions.ts';
import { apply, isStopped, type Push, pushesTo, type StatePush } from './transitions.ts';
import { WorkQueue } from './work-queue.ts';

/** How long a start that has begun is joined although the engine reports nothing, in milliseconds. */
const SILENCE = 2_000;

/** A start before the engine's first report. */
interface Attempt {
  /** Resolves with the numero under which the session is listed. */
  done: Promise<string>;
  overruled: boolean;
  /** When the engine had begun it, in milliseconds since 1970. */
  begun?: number;
}

/**
 * Receives each push, with the session as it is listed after it and the other pushes of this moment; undefined once it
 * is removed.
 */
export type PushHandler = (push: Push, session: WireListItem | undefined) => void;

/**
 * The list of sessions, and the one place that resolves crossing requests for a numero: requests run in order, a start
 * or a request for a code to type joins a pending one, and a delete overrules it. Changes go to the
 * panels through `push`. All forms of one number are one session, listed under its first numero.
 */
export class SessionManager implements Sessions {
  readonly #engine: Engine;
  readonly #onPush: PushHandler;
  readonly #details: SessionDetails;
  readonly #queue = new WorkQueue();
  /** By the numero's key, like all maps here. */
  readonly #attempts = new Map<string, Attempt>();
  /** Each start puts a new object here; reports that hold an older one are ignored. */
  readonly #sessions = new Map<string, WireListItem>();
  /** Shown instead of a session while a delete is pending, which may fail and leave the session as it is. */
  readonly #closing = new Map<string, WireListItem>();
  /** Starts, deletions and messages under way, with their keys. */
  readonly #work = new Map<Promise<unknown>, string>();
  /** Sessions that are being released. */
  readonly #moving = new Set<string>();
  /** Requests for codes to type under way; a start discards them. */
  readonly #pairings = new WeakMap<WireListItem, Promise<WirePairing>>();
  /** Sessions that were taken over from another gateway, until they are restarted. */
  readonly #adopted = new WeakSet<WireListItem>();
  #restored = false;
  #draining = false;
  #closed: Promise<void> | undefined;

  /** @param archive returns the archive of the engine's sessions; called once they are restored */
  constructor(engine: Engine, archive: () => ArchiveLedger, onPush: PushHandler) {
    this.#engine = engine;
    this.#onPush = onPush;
    this.#details = new SessionDetails(
      archive,
      (numero) => this.get(numero),
      (push) => this.#push(push),
    );
  }

  async restore(): Promise<void> {
    await this.#engine.restore((numero) => {
      const report = this.#begin(numero);
      this.#details.note(numero, this.#restored ? 'appeared' : 'restored');
      const session = this.#sessions.get(numeroKey(numero));
      if (this.#restored && session) this.#details.tellCreated(session);
      return report;
    });
    this.#restored = true;
    const down = [...this.#sessions.values()].filter(({ state }) => state === STATES.disconnected);
    // Failures are logged by the store.
    await Promise.allSettled(down.map((session) => this.#details.recall(session)));
  }

  get isReady(): boolean {
    return this.#restored && !this.#draining && this.#closed === undefined;
  }

  list(): WireListItem[] {
    return [...this.#sessions.keys()].flatMap((key) => this.#shown(key) ?? []);
  }

  get(numero: string): WireListItem | undefined {
    return this.#shown(numeroKey(numero));
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
    if (underWay && Date.now() - (underWay.begun ?? Date.now()) < SILENCE) return underWay.done;

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

  async send(typed: string, contacts: readonly number[], text: string): Promise<string> {
    if (this.#draining) throw new SessionRefused('draining', typed);
    const session = this.#known(typed);
    const { numero, state, waiting, reason } = session;
    if (reason?.code === 'no-server') {
      throw new SendFailure(contacts.map((contact) => ({ contact: String(contact), reason: 'no-server' })));
    }
    if (state !== STATES.connected) {
      const isArriving = waiting && this.#adopted.has(session);
      throw new SessionRefused(isArriving ? 'moving' : 'not-connected', numero);
    }

    const id = randomUUID();
    const failed = await this.#track(numeroKey(numero), this.#sendAll(id, numero, contacts, text));
    if (failed.length > 0) throw new SendFailure(failed);
    return id;
  }

  async describe(typed: string, naming: WireNaming): Promise<WireDetails> {
    const { numero } = this.#known(typed);
    const key = numeroKey(numero);
    await this.#details.describe(numero, naming, () =>
      [this.#sessions.get(key), this.#closing.get(key)].filter((item) => item !== undefined),
    );
    return detailsOf(this.#listed(key, typed));
  }

  async history(typed: string, limit: number, before?: number): Promise<WireHistoryEntry[]> {
    const { numero } = this.#known(typed);
    return this.#details.history(numero, limit, before);
  }

  async unlink(typed: string): Promise<void> {
    const key = numeroKey(this.#known(typed).numero);
    const unlinked = this.#queue.run(key, async () => {
      const { numero } = this.#listed(key, typed);
      await this.#engine.unlink(numero).catch((error: unknown) => {
        throw error instanceof NotLinked ? new SessionRefused('not-linked', numero) : error;
      });
      const session = this.#sessions.get(key);
      // A session that another gateway had ended has no report.
      if (session && session.reason?.code !== 'unlinked') {
        this.#happened(session, { type: 'disconnected', reason: 'unlinked' });
      }
    });
    await this.#track(key, unlinked);
  }

  async pair(typed: string): Promise<WirePairing> {
    const session = this.#known(typed);
    const { numero } = session;
    const key = numeroKey(numero);
    if (this.#closing.has(key)) throw new SessionRefused('not-pairable', numero);
    const underWay = this.#pairings.get(session);
    if (underWay) return underWay;
    // Not in the queue: such a request, even from a link's page, would hold up starts and deletions while WhatsApp is
    // silent.
    const pairing = this.#track(key, this.#requestPairing(numero));
    this.#pairings.set(session, pairing);
    try {
      return await pairing;
    } finally {
      this.#pairings.delete(session);
    }
  }

  async createLink(typed: string): Promise<SentLink> {
    const { numero, state } = this.#known(typed);
    if (state === STATES.connected) throw new SessionRefused('connected', numero);
    return this.#details.createLink(numero);
  }

  async revokeLink(typed: string): Promise<void> {
    await this.#details.endLink(this.#known(typed).numero, 'link_revoked');
  }

  async linkOpened(numero: string): Promise<void> {
    if (this.#sessions.has(numeroKey(numero))) await this.#details.linkOpened(numero);
  }

  async linked(hash: string): Promise<string | undefined> {
    // Few sessions have a link, and guessed tokens must not cause reads of all sessions from the store.
    const linked = this.list().filter(({ link }) => link !== undefined);
    return linked.find(({ numero }) => this.#details.hasLink(numero, hash))?.numero;
  }

  pairing(numero: string): WirePairing | undefined {
    return this.#details.pairing(numero);
  }

  async drain(): Promise<void> {
    this.#draining = true;
    while (this.#work.size > 0) await Promise.allSettled(this.#work.keys());
  }

  /**
   * Takes over sessions that another gateway carried, and that are now in the store. Linked ones connect. Others that
   * showed a code, or were about to, are disconnected; those that ended for a reason stay as they are.
   */
  async adopt(sessions: readonly WireListItem[]): Promise<void> {
    const resumed: WireListItem[] = [];
    for (const session of sessions) {
      if (isStopped(session.state)) this.#list({ ...session, ...this.#details.kept(session.numero) });
      else resumed.push(session);
    }
    await this.#engine.resume?.(
      resumed.map(({ numero }) => numero),
      (numero) => {
        const report = this.#begin(numero);
        const session = this.#sessions.get(numeroKey(numero));
        if (session) this.#adopted.add(session);
        this.#details.note(numero, 'moved');
        return report;
      },
    );
    for (const { numero, state, qrCode, since, reason } of resumed) {
      const key = numeroKey(numero);
      const session = this.#sessions.get(key);
      if (session && !session.waiting && session.state === state) {
        Object.assign(session, { ...(since !== undefined && { since }), ...(reason && { reason }) });
        this.#details.tell(numero);
      }
      if (!session?.waiting) continue;
      if (qrCode !== undefined) this.#push({ event: 'disconnected', numero });
      this.#tell(key, [{ event: 'change_state', numero, state: session.state }]);
      this.#details.tell(numero);
    }
  }

  /** The sessions that can be interrupted for a moment: no code on the screen, no link, no work under way. */
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
   * Releases an idle session, so that another gateway can take it over. Resolves with false, and changes nothing, if it
   * is no longer idle.
   *
   * @param free makes it available to others, once this process has released it
   */
  async release(numero: string, free: () => Promise<void>): Promise<boolean> {
    const key = numeroKey(numero);
    if (this.#moving.has(key) || !this.idle.includes(numero)) return false;
    this.#moving.add(key);
    try {
      await this.#queue.run(key, async () => {
        await this.#engine.release?.(numero);
        await this.#details.written();
        await free();
      });
      return true;
    } finally {
      this.#leave(numero);
      this.#moving.delete(key);
    }
  }

  /** Releases a session at once, whatever is under way. Resolves when its connection is closed. */
  async abandon(numero: string): Promise<void> {
    const key = numeroKey(numero);
    this.#leave(numero);
    this.#closing.delete(key);
    this.#attempts.delete(key);
    await this.#engine.release?.(numero);
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    await this.#details.close();
    await this.#engine.close();
  }

  async #requestPairing(numero: string): Promise<WirePairing> {
    try {
      return await this.#engine.pair(numero);
    } catch (error) {
      if (!(error instanceof NotPairable)) throw error;
      throw new SessionRefused(error.reason === 'not-waiting' ? 'not-pairable' : 'no-pairing-code', numero);
    }
  }

  /** Forgets the manager's own data of a session that is removed, or no longer this process's. */
  #leave(numero: string): void {
    this.#sessions.delete(numeroKey(numero));
    this.#details.leave(numero);
  }

  /** Returns a session on the list that is not being released. */
  #known(typed: string): WireListItem {
    const key = numeroKey(typed);
    this.#refuseMoving(key, typed);
    return this.#listed(key, typed);
  }

  /** Returns a session as it is listed; it may have been removed before a request's turn. */
  #listed(key: string, typed: string): WireListItem {
    const session = this.#shown(key);
    if (!session) throw new SessionRefused('unknown', typed);
    return session;
  }

  /** Applies an event of the engine. */
  #happened(session: WireListItem, event: EngineEvent): void {
    const { numero } = session;
    const key = numeroKey(numero);
    if (event.type === 'pairing') {
      this.#details.setPairing(numero, event.pairing);
      return;
    }
    if (event.type === 'removed') {
      this.#removed(numero);
      return;
    }
    const pushes = apply(session, event);
    if (event.type === 'name') this.#details.keepName(numero, event.name);
    if (session.qrCode === undefined) this.#details.setPairing(numero, undefined);
    // Details come before the state: a session that somebody unlinked has not dropped, and a code is shown with its
    // expiry.
    this.#details.tell(numero);
    this.#tell(key, pushes);
    const last = pushes.at(-1);
    if (last && !this.#closing.has(key))
      this.#details.note(numero, event.type === 'stopped' ? 'disconnected' : last.event);
    if (event.type === 'ready') this.#details.endLinkLater(numero, 'link_used');
  }

  #refuseMoving(key: string, typed: string): void {
    if (this.#moving.has(key)) throw new SessionRefused('moving', typed);
  }

  /** Returns a session as it is listed. */
  #shown(key: string): WireListItem | undefined {
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

  async #sendAll(
    id: string,
    numero: string,
    contacts: readonly number[],
    text: string,
  ): Promise<FailedContact[]> {
    const failed: FailedContact[] = [];
    for (const contacto of contacts) {
      const acked = (status: AckStatus) => {
        const reason = status === 'failed' ? { reason: 'WhatsApp lo rechazó' } : {};
        this.#push({ event: 'ack', numero, ack: { id, remitente: numero, contacto, status, ...reason } });
      };
      const contact = String(contacto);
      const delivery = await this.#engine.send(numero, contact, text, acked);
      if (delivery === 'sent') acked('server');
      else failed.push({ contact, reason: delivery });
    }
    return failed;
  }

  async #attempt(typed: string, attempt: Attempt): Promise<string> {
    if (attempt.overruled) throw new SessionRefused('deleted', typed);
    const key = numeroKey(typed);
    const known = this.#sessions.get(key);
    const numero = known?.numero ?? canonicalNumero(typed);
    try {
      this.#takeDown(numero);
      this.#details.setPairing(numero, undefined);
      const report = this.#begin(numero, attempt);
      const session = this.#sessions.get(key);
      if (!known && session) {
        this.#details.tellCreated(session);
      }
      this.#push({ event: 'change_state', numero, state: STATES.authenticating });
      this.#details.note(numero, 'started');
      this.#details.tell(numero);
      await this.#engine.start(numero, report);
      attempt.begun = Date.now();
    } catch (error) {
      this.#settle(numero, attempt);
      // A session that the engine refuses never existed.
      if (!known && error instanceof SessionRefused) this.#removed(numero);
      else this.#fail(numero);
      if (!attempt.overruled) throw error;
    }
    if (attempt.overruled) throw new SessionRefused('deleted', numero);
    return numero;
  }

  /** Lists a new session, and returns its report, which is ignored once another session has replaced it. */
  #begin(numero: string, attempt?: Attempt): Report {
    const session = this.#list({
      numero,
      state: STATES.authenticating,
      waiting: true,
      ...this.#details.kept(numero),
      since: Date.now(),
    });
    const key = numeroKey(numero);
    return (event) => {
      if (this.#sessions.get(key) !== session) return;
      if (attempt && event.type !== 'name') this.#settle(numero, attempt);
      this.#happened(session, event);
    };
  }

  /** Replaces the session with the same numero, or appends it. */
  #list(session: WireListItem): WireListItem {
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

  /** Shows a pending delete, and ignores the engine's reports from here on. */
  #close(key: string): void {
    const session = this.#sessions.get(key);
    if (!session || this.#closing.has(key)) return;
    const { numero } = session;
    const { reason: _, codeExpires: __, ...details } = detailsOf(session);
    this.#takeDown(numero);
    this.#details.setPairing(numero, undefined);
    this.#closing.set(key, { numero, state: STATES.closing, waiting: true, ...details, since: Date.now() });
    this.#push({ event: 'change_state', numero, state: STATES.closing });
    this.#details.tell(numero);
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
      this.#details.tell(numero);
      this.#tell(key, pushesTo(session));
      throw error;
    }
    this.#details.erase(numero);
    this.#removed(numero);
  }

  /** Takes a session off the list. */
  #removed(numero: string): void {
    this.#closing.delete(numeroKey(numero));
    this.#leave(numero);
    // The contract has no event for a removal: this at least tells other panels that the session is disconnected.
    this.#push({ event: 'disconnected', numero });
    this.#push({ event: 'deleted', numero });
  }

  /** Shows that a start failed. The engine may have the session nevertheless, and its reports continue. */
  #fail(numero: string): void {
    const key = numeroKey(numero);
    const session = this.#sessions.get(key);
    if (!session) return;
    const pushes = apply(session, { type: 'disconnected' });
    session.reason = NOT_STARTED;
    this.#tell(key, pushes);
    this.#details.note(numero, 'disconnected');
    this.#details.tell(numero);
  }

  #tell(key: string, pushes: readonly StatePush[]): void {
    if (this.#closing.has(key)) return;
    for (const push of pushes) this.#push(push);
  }
}
