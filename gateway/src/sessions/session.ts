import {
  STATES,
  type WireDetails,
  type WireListItem,
  type WireNaming,
  type WirePairing,
} from '../../../src/wire.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { BatchWriter } from './batch-writer.ts';
import { changeBetween, detailsOf } from './details.ts';
import type { Engine, EngineEvent, Report } from './engine.ts';
import { NotLinked, NotPairable, SendFailure, SessionRefused } from './errors.ts';
import type { PendingEntry } from './history-writer.ts';
import { Mailbox } from './mailbox.ts';
import { numeroKey } from './numbers.ts';
import { NOT_STARTED } from './reasons.ts';
import { SessionRecord } from './record.ts';
import { sendToAll } from './sending.ts';
import { apply, type Push, pushesTo, type StatePush } from './transitions.ts';

/** How long a start that has begun is joined although the engine reports nothing, in milliseconds. */
const SILENCE = 2_000;

/** A start before the engine's first report. */
interface Attempt {
  readonly done: Promise<Started>;
  /** Whether a deletion came after it. */
  isOverruled: boolean;
  /** When the engine had begun it, in milliseconds since 1970. */
  begun?: number;
}

/** Whether a start has begun; `ended` if the session had been deleted before it was the start's turn. */
export type Started = 'begun' | 'ended';

/** What a session needs from its registry. */
export interface SessionParts {
  readonly engine: Engine;
  /** Returns the ledger of the engine's sessions; throws before they are restored. */
  readonly ledger: () => Ledger;
  readonly history: BatchWriter<PendingEntry>;
  /** Makes a new session this process's own. Rejects with a `SessionRefused` if that is not possible. */
  readonly acquire: (session: Session) => Promise<void>;
  /** Receives each push, once it has taken effect. */
  readonly publish: (session: Session, push: Push) => void;
  /** Forgets the session. */
  readonly ended: (session: Session) => void;
}

/**
 * One life of a session in this process: from its creation, or from the moment at which this process took it over, to
 * its deletion, or to the moment at which another process carries it. Requests run in order in one mailbox; a start or
 * a request for a code to type joins a pending one, and a deletion overrules a start. What is under way at the end of
 * the life is aborted by its signal.
 */
export class Session {
  readonly numero: string;
  readonly key: string;
  readonly record: SessionRecord;
  readonly #parts: SessionParts;
  readonly #mailbox = new Mailbox();
  readonly #life = new AbortController();
  /** The session as the engine reports it; undefined until it is listed. */
  #state: WireListItem | undefined;
  /** Shown instead while a deletion is pending, which may fail and leave the session as it is. */
  #closing: WireListItem | undefined;
  #attempt: Attempt | undefined;
  /** Identifies the last start: reports of an earlier one are ignored. */
  #run: object | undefined;
  /** Whether the engine, or the table of sessions, knows it. */
  #isKnown = false;
  #isMoving = false;
  #isAdopted = false;
  /** The code to type on the phone, while there is one. */
  #pairing: WirePairing | undefined;
  /** A request for a code to type under way; a start discards it. */
  #requested: Promise<WirePairing> | undefined;
  /** The details that were last pushed. */
  #told: WireDetails = {};

  constructor(numero: string, parts: SessionParts) {
    this.numero = numero;
    this.key = numeroKey(numero);
    this.#parts = parts;
    const { ledger, history } = parts;
    this.record = new SessionRecord({
      numero,
      ledger,
      history,
      signal: this.signal,
      shown: () => this.shown,
      tell: () => this.tell(),
    });
  }

  /** Aborted at the end of this life. */
  get signal(): AbortSignal {
    return this.#life.signal;
  }

  /** The session as it is listed; undefined if it is not. */
  get shown(): WireListItem | undefined {
    return this.#closing ?? this.#state;
  }

  get pairing(): WirePairing | undefined {
    return this.#pairing;
  }

  /** Whether it can be interrupted for a moment: no code on the screen, no link, no request under way. */
  get isIdle(): boolean {
    const { shown } = this;
    if (!shown || this.#attempt || this.#closing || !this.#mailbox.isEmpty) return false;
    return !shown.waiting && shown.qrCode === undefined && shown.state !== STATES.authenticating;
  }

  /** Starts or restarts the session. Rejects as `Registry.start` does. */
  start(): Promise<Started> {
    this.refuseMoving();
    const underWay = this.#attempt;
    if (underWay && Date.now() - (underWay.begun ?? Date.now()) < SILENCE) return underWay.done;
    const attempt: Attempt = { done: this.#mailbox.run(() => this.#start(attempt)), isOverruled: false };
    this.#attempt = attempt;
    return attempt.done;
  }

  /** Deletes the session. If that fails, it is shown as before, and the promise rejects with the engine's error. */
  async delete(): Promise<void> {
    this.refuseMoving();
    if (this.#attempt) this.#attempt.isOverruled = true;
    this.#attempt = undefined;
    this.#close();
    await this.#mailbox.run(() => this.#delete());
  }

  /** Unlinks the session from its account. Rejects as `Registry.unlink` does. */
  async unlink(): Promise<void> {
    await this.#mailbox.run(async () => {
      this.refuseMoving();
      if (!this.shown) throw new SessionRefused('unknown', this.numero);
      await this.#parts.engine.unlink(this.numero).catch((error: unknown) => {
        throw error instanceof NotLinked ? new SessionRefused('not-linked', this.numero) : error;
      });
      // A session that another gateway had ended has no report.
      if (!this.signal.aborted && this.#state?.reason?.code !== 'unlinked') {
        this.#happened({ type: 'disconnected', reason: 'unlinked' });
      }
    });
  }

  /** Returns a code to type on the phone. Rejects as `Registry.pair` does. */
  async pair(): Promise<WirePairing> {
    if (this.#closing) throw new SessionRefused('not-pairable', this.numero);
    // Not in the mailbox: such a request, even from a link's page, would hold up starts and deletions while WhatsApp is
    // silent.
    const requested = this.#requested ?? this.#requestPairing();
    this.#requested = requested;
    try {
      return await requested;
    } finally {
      if (this.#requested === requested) this.#requested = undefined;
    }
  }

  /** Sends a text to each number, and returns an id. Rejects as `Registry.send` does. */
  async send(contacts: readonly number[], text: string): Promise<string> {
    const { numero, shown } = this;
    if (shown?.reason?.code === 'no-server') {
      throw new SendFailure(contacts.map((contact) => ({ contact: String(contact), reason: 'no-server' })));
    }
    if (shown?.state !== STATES.connected) {
      throw new SessionRefused(shown?.waiting && this.#isAdopted ? 'moving' : 'not-connected', numero);
    }
    return sendToAll(this.#parts.engine, numero, contacts, text, (push) => this.#push(push));
  }

  /** Changes the operators' names, and returns the details. Rejects with a `StoreError`. */
  async describe(naming: WireNaming): Promise<WireDetails> {
    await this.record.describe(naming, () =>
      [this.#state, this.#closing].filter((item) => item !== undefined),
    );
    if (!this.shown) throw new SessionRefused('unknown', this.numero);
    return detailsOf(this.shown);
  }

  /** Lists the session, and returns its report, which is ignored once another start has replaced it. */
  begin(): Report {
    return this.#begin();
  }

  /** Lists the session as another process has left it: it ended for a reason, which only a person can lift. */
  keep(session: WireListItem): void {
    this.#isKnown = true;
    this.#state = { ...session, ...this.record.details };
  }

  /** Lists a session that another process carried, and returns its report. */
  adopt(): Report {
    const report = this.#begin();
    this.#isAdopted = true;
    this.record.note('moved');
    return report;
  }

  /**
   * Brings panels to the state after a takeover, and restores since when and why the session had the state that it
   * still has.
   *
   * @param before as the other process has left it
   */
  adopted({ state, qrCode, since, reason }: WireListItem): void {
    const { numero } = this;
    const session = this.#state;
    if (session && !session.waiting && session.state === state) {
      Object.assign(session, { ...(since !== undefined && { since }), ...(reason && { reason }) });
      this.tell();
    }
    if (!session?.waiting) return;
    if (qrCode !== undefined) this.#push({ event: 'disconnected', numero });
    this.#tell([{ event: 'change_state', numero, state: session.state }]);
    this.tell();
  }

  /** Pushes a session that is new, with its details. */
  tellCreated(): void {
    const { shown } = this;
    if (!shown) return;
    this.#told = detailsOf(shown);
    this.#push({ event: 'created', numero: this.numero, session: shown });
  }

  /** Pushes the changed details. */
  tell(): void {
    const { shown } = this;
    if (!shown || this.signal.aborted) return;
    const { link } = this.record;
    if (link) shown.link = link;
    else delete shown.link;
    const change = changeBetween(this.#told, shown);
    if (!change) return;
    this.#told = detailsOf(shown);
    this.#push({ event: 'details', numero: this.numero, change });
  }

  /**
   * Gives the idle session up, so that another process can take it over.
   *
   * @param free makes it available to others, once this process has released it
   */
  async release(free: () => Promise<void>): Promise<void> {
    this.#isMoving = true;
    try {
      await this.#mailbox.run(async () => {
        await this.#parts.engine.release?.(this.numero);
        await this.#parts.history.flush();
        await free();
      });
    } finally {
      this.end();
    }
  }

  /** Ends this life without a word: another process carries the session, or may. */
  end(): void {
    this.#isMoving = true;
    this.#life.abort();
    this.#parts.ended(this);
  }

  refuseMoving(): void {
    if (this.#isMoving) throw new SessionRefused('moving', this.numero);
  }

  async #start(attempt: Attempt): Promise<Started> {
    const { numero } = this;
    const isNew = this.#state === undefined;
    this.refuseMoving();
    this.#refuseOverruled(attempt);
    if (this.signal.aborted) return 'ended';
    if (isNew) await this.#acquire();
    this.#refuseOverruled(attempt);
    const begin = async () => {
      this.#takeDown();
      this.#setPairing(undefined);
      const report = this.#begin(attempt);
      if (isNew) this.tellCreated();
      this.#push({ event: 'change_state', numero, state: STATES.authenticating });
      this.record.note('started');
      this.tell();
      await this.#parts.engine.start(numero, report);
      attempt.begun = Date.now();
    };
    try {
      await (isNew ? this.record.holding(begin) : begin());
    } catch (error) {
      this.#settle(attempt);
      // A session that the engine refuses never existed.
      if (isNew && error instanceof SessionRefused) this.#removed();
      else this.#fail();
      if (!attempt.isOverruled) throw error;
    }
    this.#refuseOverruled(attempt);
    return 'begun';
  }

  async #acquire(): Promise<void> {
    try {
      await this.#parts.acquire(this);
      this.#isKnown = true;
    } catch (error) {
      this.#removed();
      throw error;
    }
  }

  #refuseOverruled(attempt: Attempt): void {
    if (attempt.isOverruled) throw new SessionRefused('deleted', this.numero);
  }

  #begin(attempt?: Attempt): Report {
    const run = {};
    this.#run = run;
    this.#isKnown = true;
    this.#isAdopted = false;
    this.#requested = undefined;
    this.#state = {
      numero: this.numero,
      state: STATES.authenticating,
      waiting: true,
      ...this.record.details,
      since: Date.now(),
    };
    return (event) => {
      if (this.#run !== run || this.signal.aborted) return;
      if (attempt && event.type !== 'name') this.#settle(attempt);
      this.#happened(event);
    };
  }

  /** Ends an attempt: the next start is a new one. A queued attempt stays, for later starts to join. */
  #settle(attempt: Attempt): void {
    if (this.#attempt === attempt) this.#attempt = undefined;
  }

  /** Applies an event of the engine. */
  #happened(event: EngineEvent): void {
    const session = this.#state;
    if (!session) return;
    if (event.type === 'pairing') {
      this.#setPairing(event.pairing);
      return;
    }
    if (event.type === 'removed') {
      // A start that waits for a deletion is a later one.
      if (this.#attempt && !this.#closing) this.#attempt.isOverruled = true;
      this.#removed();
      return;
    }
    const pushes = apply(session, event);
    if (event.type === 'name') this.record.keepName(event.name);
    if (session.qrCode === undefined) this.#setPairing(undefined);
    // Details come before the state: a session that somebody unlinked has not dropped, and a code is shown with its
    // expiry.
    this.tell();
    this.#tell(pushes);
    const last = pushes.at(-1);
    if (last && !this.#closing) this.record.note(event.type === 'stopped' ? 'disconnected' : last.event);
    if (event.type === 'ready') this.record.endLinkLater('link_used');
  }

  async #requestPairing(): Promise<WirePairing> {
    try {
      return await this.#parts.engine.pair(this.numero);
    } catch (error) {
      if (!(error instanceof NotPairable)) throw error;
      throw new SessionRefused(
        error.reason === 'not-waiting' ? 'not-pairable' : 'no-pairing-code',
        this.numero,
      );
    }
  }

  #setPairing(pairing: WirePairing | undefined): void {
    if (!pairing && !this.#pairing) return;
    this.#pairing = pairing;
    this.#push({ event: 'code', numero: this.numero, pairing: pairing ?? null });
  }

  /** Removes a void code from the panels: only the end of a session does that. */
  #takeDown(): void {
    if (this.#state?.qrCode !== undefined) this.#push({ event: 'disconnected', numero: this.numero });
  }

  /** Shows a pending deletion, and ignores the engine's reports from here on. */
  #close(): void {
    const session = this.#state;
    if (!session || this.#closing) return;
    const { numero } = session;
    const { reason: _, codeExpires: __, ...details } = detailsOf(session);
    this.#takeDown();
    this.#setPairing(undefined);
    this.#closing = { numero, state: STATES.closing, waiting: true, ...details, since: Date.now() };
    this.#push({ event: 'change_state', numero, state: STATES.closing });
    this.tell();
  }

  async #delete(): Promise<void> {
    if (this.signal.aborted) return this.refuseMoving();
    // A failed deletion before this one has restored the session.
    this.#close();
    try {
      if (this.#isKnown) await this.#parts.engine.remove(this.numero);
    } catch (error) {
      this.#closing = undefined;
      this.tell();
      if (this.#state) this.#tell(pushesTo(this.#state));
      throw error;
    }
    this.#removed();
    this.#parts.ledger().forget(this.numero);
  }

  /** Takes the session off the list. */
  #removed(): void {
    if (this.signal.aborted) return;
    const { numero } = this;
    const wasListed = this.shown !== undefined;
    this.#closing = undefined;
    this.#state = undefined;
    // The contract has no event for a removal: this at least tells other panels that the session is disconnected.
    if (wasListed) this.#push({ event: 'disconnected', numero });
    if (wasListed) this.#push({ event: 'deleted', numero });
    this.#life.abort();
    this.#parts.ended(this);
  }

  /** Shows that a start failed. The engine may have the session nevertheless, and its reports continue. */
  #fail(): void {
    const session = this.#state;
    if (!session) return;
    const pushes = apply(session, { type: 'disconnected' });
    session.reason = NOT_STARTED;
    this.#tell(pushes);
    this.record.note('disconnected');
    this.tell();
  }

  #tell(pushes: readonly StatePush[]): void {
    if (this.#closing) return;
    for (const push of pushes) this.#push(push);
  }

  #push(push: Push): void {
    if (!this.signal.aborted) this.#parts.publish(this, push);
  }
}
