import {
  DROP_REASONS,
  STATES,
  type WireDetails,
  type WireListItem,
  type WireNaming,
  type WirePairing,
} from '../../../src/wire.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { numeroKey } from '../numbers.ts';
import type { BatchWriter } from './batch-writer.ts';
import type { Engine, EngineEvent, PasskeyAssertion, PasskeyChallenge, Report } from './engine.ts';
import { type EngineObserver, type EngineRequest, observed } from './engine-news.ts';
import { NotLinked, SendFailure, SessionRefused } from './errors.ts';
import { Health } from './health.ts';
import type { PendingEntry } from './history-writer.ts';
import { Listing } from './listing.ts';
import { Mailbox } from './mailbox.ts';
import { SessionRecord } from './record.ts';
import { atStep, describe, requestCode, sendToAll } from './requests.ts';
import { canSend } from './selection.ts';
import type { SessionEvent } from './session-event.ts';
import type { StabilityReader } from './stability.ts';
import type { Push } from './transitions.ts';

/** How long a start that has begun is joined although the engine reports nothing, in milliseconds. */
const SILENCE = 2_000;

/** A start before the engine's first report. */
interface Attempt {
  readonly done: Promise<Started>;
  readonly by: string | undefined;
  /** Whether a deletion came after it. */
  isOverruled: boolean;
  /** When the engine had begun it, by `performance.now()`. */
  begun?: number;
}

/** Whether a start has begun; `ended` if the session had been deleted before it was the start's turn. */
type Started = 'begun' | 'ended';

/** What a session needs from its registry. */
export interface SessionParts {
  readonly engine: Engine;
  /** Returns the ledger of the engine's sessions; throws before they are restored. */
  readonly ledger: () => Ledger;
  readonly history: BatchWriter<PendingEntry>;
  readonly stability: StabilityReader;
  /** The gateway's name, for its entries in histories. */
  readonly name: string;
  /** Observes what happens at the engine. */
  readonly observe: EngineObserver;
  /** Makes a new session this process's own. Rejects with a `SessionRefused` if that is not possible. */
  readonly acquire: (session: Session) => Promise<void>;
  /** Receives each push, once it has taken effect. */
  readonly publish: (session: Session, push: Push) => void;
  /** Forgets the session. */
  readonly ended: (session: Session) => void;
}

/**
 * One life of a session in this process: from its creation, or from the moment at which this process took it over, to
 * its deletion, or to the moment at which another process owns it. Requests run in order in one mailbox; a start or a
 * request for a code to type joins a pending one, and a deletion overrules a start. What is under way at the end of the
 * life has no effect.
 */
export class Session {
  readonly numero: string;
  readonly key: string;
  readonly record: SessionRecord;
  readonly health: Health;
  readonly #parts: SessionParts;
  readonly #listing: Listing;
  readonly #mailbox = new Mailbox();
  /** Apart, since a proxy may take long to answer. */
  readonly #descriptions = new Mailbox();
  /** The request for a code to type that is under way. */
  #pairing: Promise<WirePairing> | undefined;
  readonly #life = { isOver: false };
  #attempt: Attempt | undefined;
  /** Identifies the last start: reports of an earlier one are ignored. */
  #run: object | undefined;
  /** Whether the engine, or the table of sessions, knows it. */
  #isKnown = false;
  #isMoving = false;
  #isAdopted = false;
  /** Who unlinks it, while it is being unlinked. */
  #unlinker: string | undefined;

  constructor(numero: string, parts: SessionParts) {
    const { engine, ledger, history, name, observe } = parts;
    this.numero = numero;
    this.key = numeroKey(numero);
    this.#parts = parts;
    this.#listing = new Listing({
      numero,
      link: () => this.record.link,
      push: (push) => this.#push(push),
    });
    const listing = this.#listing;
    const proxy = () => engine.proxy;
    this.record = new SessionRecord({ numero, ledger, history, life: this.#life, listing, proxy, name });
    this.health = new Health({ numero, engine, listing, observe, show: (event) => this.#show(event) });
  }

  /** The session as it is listed; undefined if it is not. */
  get shown(): WireListItem | undefined {
    return this.#listing.shown;
  }

  /** The code to type on the phone, while there is one. */
  get pairing(): WirePairing | undefined {
    return this.#listing.pairing;
  }

  /** Whether it can be interrupted for a moment: no code on the screen, no link, no request under way. */
  get isIdle(): boolean {
    const { shown } = this;
    if (!shown || this.#attempt || this.#listing.isClosing || !this.#mailbox.isEmpty) return false;
    const isLinking = shown.qrCode !== undefined || shown.passkey !== undefined;
    return !shown.waiting && !isLinking && shown.state !== STATES.authenticating;
  }

  /** Starts or restarts the session. Rejects as `Registry.start` does. */
  start(by?: string): Promise<Started> {
    this.refuseMoving();
    const underWay = this.#attempt;
    const now = performance.now();
    if (underWay && now - (underWay.begun ?? now) < SILENCE) return underWay.done;
    const attempt: Attempt = {
      done: this.#mailbox.run(() => this.#start(attempt)),
      by,
      isOverruled: false,
    };
    this.#attempt = attempt;
    return attempt.done;
  }

  /** Deletes the session. If that fails, it is shown as before, and the promise rejects with the engine's error. */
  async delete(by?: string): Promise<void> {
    this.refuseMoving();
    if (this.#attempt) this.#attempt.isOverruled = true;
    this.#attempt = undefined;
    this.#listing.close(by);
    await this.#mailbox.run(() => this.#delete(by));
  }

  /** Unlinks the session from its account. Rejects as `Registry.unlink` does. */
  async unlink(by?: string): Promise<void> {
    await this.#mailbox.run(async () => {
      this.refuseMoving();
      if (!this.shown) throw new SessionRefused('unknown', this.numero);
      this.#unlinker = by;
      try {
        await this.#requested('unlinking', this.#parts.engine.unlink(this.numero)).catch((error: unknown) => {
          throw error instanceof NotLinked ? new SessionRefused('not-linked', this.numero) : error;
        });
        // A session that another gateway had ended has no report.
        if (this.shown?.reason?.code !== 'unlinked')
          this.#happened({ type: 'disconnected', reason: 'unlinked' });
      } finally {
        this.#unlinker = undefined;
      }
    });
  }

  /** Returns a code to type on the phone. Rejects as `Registry.pair` does. */
  async pair(): Promise<WirePairing> {
    if (this.#listing.isClosing) throw new SessionRefused('not-pairable', this.numero);
    this.#pairing ??= requestCode(this.#parts.engine, this.numero);
    const requested = this.#pairing;
    return requested.finally(() => {
      // After a start, the next one is a request of its own.
      if (this.#pairing === requested) this.#pairing = undefined;
    });
  }

  /** Returns what the account's passkey has to sign. Rejects as `Registry.passkeyChallenge` does. */
  passkeyChallenge(): Promise<PasskeyChallenge> {
    const { engine } = this.#parts;
    return atStep('sign', this, engine.passkeyChallenge?.bind(engine, this.numero));
  }

  /** Goes on with the step of a passkey. Rejects as `Registry.passkey` does. */
  passkey(assertion?: PasskeyAssertion): Promise<void> {
    const { engine } = this.#parts;
    return atStep(assertion ? 'sign' : 'confirm', this, engine.passkey?.bind(engine, this.numero, assertion));
  }

  /** Sends a text to each number, and returns an id. Rejects as `Registry.send` does. */
  async send(contacts: readonly number[], text: string): Promise<string> {
    const { numero, shown } = this;
    if (shown?.reason?.code === 'no-server') {
      throw new SendFailure(contacts.map((contact) => ({ contact: String(contact), reason: 'no-server' })));
    }
    if (!canSend(shown))
      throw new SessionRefused(shown?.waiting && this.#isAdopted ? 'moving' : 'not-connected', numero);
    return sendToAll(this.#parts, numero, contacts, text, (push) => this.#push(push));
  }

  /** Changes the operators' names and the proxy, and returns the details. Rejects as `Registry.describe` does. */
  describe(naming: WireNaming, by?: string): Promise<WireDetails> {
    const { numero, record } = this;
    const parts = { numero, record, engine: this.#parts.engine, listing: this.#listing };
    return this.#descriptions.run(() => describe(parts, naming, by));
  }

  /**
   * Lists a session that exists already, and returns its report.
   *
   * @param event why it is listed, for its history
   * @param left as another process has left it
   */
  resume(event: 'restored' | 'appeared' | 'moved', left?: WireListItem): Report {
    const report = this.#begin();
    if (left) this.#listing.adopt(left);
    this.#isAdopted = event === 'moved';
    this.record.note(event, this.#parts.name);
    if (event === 'restored') this.#parts.stability.add(this);
    if (event === 'appeared') this.#listing.tellCreated();
    return report;
  }

  /** Lists the session as another process has left it: it ended for a reason, which only a person can lift. */
  keep(session: WireListItem): void {
    this.#isKnown = true;
    this.#listing.keep({ ...session, ...this.record.details });
  }

  /** Brings panels to the state after a takeover. @param before as the other process has left it */
  tellAdopted(before: WireListItem): void {
    this.#listing.tellAdopted(before);
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
        const { engine, observe, history } = this.#parts;
        await engine.release?.(this.numero);
        observe(this.numero, { type: 'released' });
        await history.flush();
        await free();
      });
    } finally {
      this.end();
    }
  }

  /** Ends this life without a push: another process owns the session, or may. */
  end(): void {
    this.#isMoving = true;
    this.#endLife();
  }

  /** Throws a `SessionRefused` if another process takes the session over. */
  refuseMoving(): void {
    if (this.#isMoving) throw new SessionRefused('moving', this.numero);
  }

  close(): void {
    this.record.close();
    this.health.close();
  }

  async #start(attempt: Attempt): Promise<Started> {
    this.refuseMoving();
    this.#refuseOverruled(attempt);
    if (this.#life.isOver) return 'ended';
    if (!this.shown) await this.#acquire();
    this.#refuseOverruled(attempt);
    const isNew = !this.shown;
    const begin = async () => {
      const report = this.#begin(attempt);
      if (isNew) this.#listing.tellCreated();
      this.record.note('started', attempt.by ?? this.#parts.name);
      this.#listing.tellStarted();
      await this.#requested('start', this.#parts.engine.start(this.numero, report));
      attempt.begun = performance.now();
    };
    try {
      await (isNew ? this.record.holding(begin) : begin());
    } catch (error) {
      this.#settle(attempt);
      // A session that is not stored exists nowhere; a deletion that is to follow makes sure of that.
      if (isNew && !attempt.isOverruled && !this.#parts.ledger().isListed(this.numero)) this.#removed();
      else {
        // The engine may have the session nevertheless, and its reports continue.
        this.#listing.fail();
        this.record.note('disconnected');
      }
      if (!attempt.isOverruled) throw error;
    }
    this.#refuseOverruled(attempt);
    return 'begun';
  }

  /** Settles as a request to the engine does, whose outcome is observed. */
  #requested(request: EngineRequest, done: Promise<void>): Promise<void> {
    return observed(this.#parts.observe, this.numero, request, done);
  }

  async #acquire(): Promise<void> {
    try {
      await this.#parts.acquire(this);
      this.#isKnown = true;
    } catch (error) {
      // This process has taken it over meanwhile.
      if (this.shown) return;
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
    this.#pairing = undefined;
    this.health.reset();
    this.#listing.begin(this.record.details, attempt?.by);
    return (event) => {
      this.#parts.observe(this.numero, event);
      if (this.#run !== run || this.#life.isOver) return;
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
    if (event.type === 'pairing') {
      this.#listing.setPairing(event.pairing);
      return;
    }
    if (event.type === 'removed') {
      // A start that waits for a deletion is a later one.
      if (this.#attempt && !this.#listing.isClosing) this.#attempt.isOverruled = true;
      this.#removed();
      return;
    }
    if (event.type === 'name') this.record.keepName(event.name);
    if (this.health.takes(event)) this.#show(event);
    if (event.type === 'ready') this.record.endLinkLater('link_used');
  }

  #show(event: SessionEvent): void {
    const isUnlinked = event.type === 'disconnected' && event.reason === 'unlinked';
    const last = this.#listing.apply(event, isUnlinked ? this.#unlinker : undefined);
    if (!last) return;
    const by = isUnlinked ? (this.#unlinker ?? this.#parts.name) : undefined;
    this.record.note(event.type === 'stopped' ? 'disconnected' : last.event, by);
    const { state, reason } = this.shown ?? {};
    if (state === STATES.connected || DROP_REASONS.has(reason?.code)) this.#parts.stability.add(this);
  }

  async #delete(by: string | undefined): Promise<void> {
    if (this.#life.isOver) return this.refuseMoving();
    // A failed deletion before this one has restored the session.
    this.#listing.close(by);
    try {
      if (this.#isKnown) await this.#requested('removal', this.#parts.engine.remove(this.numero));
    } catch (error) {
      this.#listing.reopen();
      throw error;
    }
    this.#removed();
  }

  #removed(): void {
    if (this.#life.isOver) return;
    this.#listing.remove();
    this.#endLife();
  }

  #endLife(): void {
    this.#life.isOver = true;
    this.close();
    this.#parts.ended(this);
  }

  #push(push: Push): void {
    if (!this.#life.isOver) this.#parts.publish(this, push);
  }
}
