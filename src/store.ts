import { explain } from './card/explain.ts';
import type { Action, PanelEvent } from './events.ts';
import { NoticeBoard } from './notices/notice-board.ts';
import { Listeners } from './observable.ts';
import { RequestError } from './server/http.ts';
import { ListPoll } from './server/list-poll.ts';
import { RenewableCalls } from './server/renewable-calls.ts';
import type { Server, TestMessage } from './server/server.ts';
import type { Tally } from './session/counts.ts';
import type { Failure } from './session/course.ts';
import type { Entry } from './session/history.ts';
import type { Journal } from './session/journal.ts';
import { Roster } from './session/roster.ts';
import type { Push, Session } from './session/session.ts';
import { Attention, type Change, type Known } from './session/session-map.ts';
import type { Situation } from './session/status.ts';
import { texts } from './texts.ts';

/** What the panel as a whole shows. The sessions themselves are read one by one: {@link Store.session}. */
export interface Snapshot {
  /** The sessions, in the server's order. The same array until one comes or goes. */
  readonly numeros: readonly string[];
  /** `loading` while the overlay is up; `failed` while there is no list to show. */
  readonly list: 'loading' | 'ready' | 'failed';
  /** Whether pushes arrive; undefined until the first attempt to connect has ended. */
  readonly connected: boolean | undefined;
  /** The number that the server last accepted a test message for. */
  readonly destination?: string;
}

/** How an action ended: the numero that it was about, or why it failed. */
export type Outcome = { readonly numero: string; readonly error?: undefined } | { readonly error: Error };

/**
 * The state of one panel, and the actions on it. It joins its server when it is made, and leaves it for good
 * with {@link Store.close}.
 *
 * Cards listen to their own session ({@link Store.watch}), the panel to the rest ({@link Store.subscribe}): a
 * push wakes one card, however many there are.
 */
export class Store {
  /** What has happened, for the host page and for those who announce it. */
  readonly events = new Listeners<[PanelEvent]>();
  /** Sessions that need a person since nothing has been heard of them for too long. */
  readonly overdue = new Listeners<[numero: string]>();
  readonly notices = new NoticeBoard();

  readonly #server: Server;
  readonly #leave: () => void;
  readonly #subscribers = new Listeners();
  readonly #roster = new Roster((change) => this.#changed(change));
  readonly #attention = new Attention((numero, before) => this.#overdue(numero, before));
  /** The calls under way, so that a double click starts none twice. */
  readonly #underWay = new Map<string, Promise<Outcome>>();
  readonly #starts: RenewableCalls<string>;
  readonly #deletions: RenewableCalls<void>;
  /** The requests for the list that are under way, the oldest first. */
  readonly #listCalls = new Set<AbortController>();
  readonly #poll = new ListPoll(() => this.#pollList());

  #snapshot: Snapshot = { numeros: [], list: 'loading', connected: undefined };
  #lastFetch = 0;
  #lastList = 0;
  /** Whether the list that was answered last had failed. */
  #listFailed = false;
  #closed = false;

  constructor(server: Server) {
    this.#server = server;
    this.#starts = new RenewableCalls(server.start);
    this.#deletions = new RenewableCalls(server.delete);
    this.#leave = server.connect({
      push: (push) => this.#receive(push),
      connection: (connected) => this.#connection(connected),
    });
    this.#poll.set(true);
    this.refresh();
  }

  /** Leaves the server: no socket, timer or listener stays. Changes that were asked for run to their end. */
  close(): void {
    this.#closed = true;
    this.#giveUpLists();
    this.#leave();
    this.#poll.set(false);
    if (this.#snapshot.connected) this.#connection(false);
    this.#attention.close();
    this.events.clear();
    this.overdue.clear();
    this.#subscribers.clear();
  }

  /** Calls the listener when {@link getSnapshot} would give another answer; gives the function that stops it. */
  readonly subscribe = (listener: () => void): (() => void) => this.#subscribers.add(listener);

  readonly getSnapshot = (): Snapshot => this.#snapshot;

  /** Calls the listener when what is known of this numero changes: session, situation or history. */
  watch(numero: string, listener: () => void): () => void {
    return this.#roster.watch(numero, listener);
  }

  /** A session as it is to be shown now. */
  session(numero: string): Session | undefined {
    return this.#roster.session(numero);
  }

  /** Both it and what it asks of the operator now. The same object until something happens to it. */
  known(numero: string): Known | undefined {
    return this.#attention.known(numero);
  }

  /** What it asks of the operator now. */
  situation(numero: string): Situation | undefined {
    return this.#attention.situation(numero);
  }

  /** The last fifty things that happened to it, the oldest first. */
  history(numero: string): readonly Entry[] {
    return this.#attention.history(numero);
  }

  /** What happened to the live connection, the oldest first: another array when the snapshot has changed with it. */
  readonly connectionHistory = (): readonly Entry[] => this.#attention.connectionHistory();

  /** How many sessions ask what of the operator. */
  get tally(): Pick<Tally, 'subscribe' | 'counts'> {
    return this.#attention.tally;
  }

  /** Loads the list behind the overlay, and waits no longer for one that was asked for before. */
  fetch(): Promise<void> {
    this.#giveUpLists();
    this.#set({ list: 'loading' });
    return this.refresh();
  }

  /** Loads the list. Never rejects: the operator and the page are told of a failure. */
  refresh(): Promise<void> {
    return this.#loadList(() => true);
  }

  /** Loads the list without having been asked to: in a row of failures only the first one is told. */
  #pollList(): void {
    // An older call may only be slow; two that hang are enough.
    const [oldest] = this.#listCalls;
    if (this.#listCalls.size > 1) oldest?.abort();
    void this.#loadList(() => !this.#listFailed);
  }

  #giveUpLists(): void {
    for (const call of this.#listCalls) call.abort();
  }

  async #loadList(isFailureTold: () => boolean): Promise<void> {
    this.#lastFetch += 1;
    const fetch = this.#lastFetch;
    const journal = this.#roster.openJournal();
    const call = new AbortController();
    this.#listCalls.add(call);
    try {
      const list = await this.#server.list(call.signal);
      this.#listFailed = false;
      // An older list than the one shown has nothing to say.
      if (fetch < this.#lastList) return;
      this.#lastList = fetch;
      this.#replace(list, journal);
    } catch (error) {
      if (call.signal.aborted) return;
      // A list that is there stays; a reconnection may be loading it still.
      if (this.#snapshot.list === 'loading' && fetch === this.#lastFetch) this.#set({ list: 'failed' });
      if (isFailureTold()) this.#fail(error, 'fetch');
      this.#listFailed = true;
    } finally {
      this.#listCalls.delete(call);
      this.#roster.closeJournal(journal);
    }
  }

  /**
   * Adds a session or starts it anew. One whose deletion is under way is started when that has ended.
   * @param topic - of its notices, where it is one of many: each takes the place of the one before
   */
  up(numero: string, topic?: string): Promise<Outcome> {
    const start = async () => {
      await this.#underWay.get(`delete ${numero}`);
      const journal = this.#roster.openJournal();
      const listBefore = this.#lastList;
      this.#attention.disturbed();
      this.#attention.asked(numero);
      const started = await this.#starts.run(numero).finally(() => {
        this.#roster.closeJournal(journal);
        this.#attention.answered(numero);
        this.#roster.wake(numero);
      });
      // A deletion that came after the start is the newer word on it, and so is a list that has the session.
      const deleted = journal.entries.some(
        ({ event }) => event.type === 'deleted' && event.numero === started,
      );
      if (deleted || this.#roster.isClosing(started)) return started;
      if (this.#lastList === listBefore || !this.#roster.has(started)) this.#begin(started, journal);
      else this.#succeeded(started);
      this.notices.add('positive', texts.started(started), topic);
      return started;
    };
    return this.#once('up', numero, start, topic);
  }

  /** Deletes a session, which shows 'CERRANDO SESIÓN...' until the server has answered. */
  delete(numero: string): Promise<Outcome> {
    return this.#once('delete', numero, async () => {
      const session = this.#roster.session(numero);
      // What has gone in the meantime is what was asked for.
      if (session) await this.#closeUntilDeleted(session);
      this.notices.add('positive', texts.deleted(numero));
      return numero;
    });
  }

  /**
   * Sends a test message. Spaces, hyphens, parentheses, dots and a leading + of the number are dropped, and the
   * invisible marks that come with a copied one; what is then no number is told and not sent (design §3).
   */
  send({ from, to, text }: TestMessage): Promise<Outcome> {
    return this.#once('send', from, async () => {
      const number = to.replace(/[\s().\p{Dash}\p{Format}]/gu, '').replace(/^\+/, '');
      if (!/^\d+$/.test(number) || !Number.isSafeInteger(Number(number))) {
        throw new RequestError(texts.invalidNumber);
      }
      await this.#server.send({ from, to: number, text });
      this.notices.add('positive', texts.sent(number));
      this.#note(from, 'accepted', number);
      this.#set({ destination: number });
      return from;
    });
  }

  /** Asks the server once more for a start that it has not answered; false where none was asked for here. */
  upAgain(numero: string): boolean {
    if (!this.#starts.renew(numero)) return false;
    this.#attention.asked(numero);
    this.#roster.wake(numero);
    return true;
  }

  /** Waits no longer for a start whose answer is late. */
  giveUpStart(numero: string): void {
    if (this.situation(numero)?.unanswered) this.#starts.giveUp(numero);
  }

  /** Asks the server once more for a deletion that it has not answered; false where none was asked for here. */
  deleteAgain(numero: string): boolean {
    const session = this.session(numero);
    if (!session || !this.#deletions.renew(numero)) return false;
    this.#attention.happened({ type: 'closing', numero, session, before: session, at: Date.now() });
    this.#roster.wake(numero);
    return true;
  }

  /** Tells of a failure: the log, the operator, the page (spec §8). */
  report(error: Error, action: Action): void {
    console.error('whatsapp-operadores:', error);
    this.events.call({ name: 'wo-error', detail: { error, action } });
  }

  /** Runs an action unless it is under way already. A failure is told. */
  #once(name: Action, numero: string, action: () => Promise<string>, topic?: string): Promise<Outcome> {
    const key = `${name} ${numero}`;
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const run = action()
      .then((about): Outcome => ({ numero: about }))
      .catch((cause: unknown): Outcome => {
        const error = this.#fail(cause, name, topic);
        if (name === 'send') this.#note(numero, 'refused', error.message);
        else if (name === 'up' || name === 'delete') this.#failed(numero, { action: name, error });
        return { error };
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, run);
    return run;
  }

  /** Lists a session that was started, with what was pushed about it before the server's answer came. */
  #begin(numero: string, journal: Journal): void {
    this.#roster.apply({ type: 'started', numero });
    const own = journal.entries.filter(({ event }) => event.numero === numero);
    // An end that was told before the answer was that of the life before, with all that came before it.
    const end = own.findLastIndex(
      ({ event }) => event.type === 'disconnected' || event.type === 'qr_timeout',
    );
    for (const { event, at } of own.slice(end + 1)) this.#roster.apply(event, at);
  }

  async #closeUntilDeleted(session: Session): Promise<void> {
    const { numero } = session;
    this.#roster.close(session);
    try {
      await this.#deletions.run(numero);
    } catch (error) {
      this.#roster.reopen(numero);
      throw error;
    }
    this.#roster.apply({ type: 'deleted', numero });
  }

  #replace(list: readonly Session[], journal: Journal): void {
    const { numeros } = this.#roster;
    this.#roster.replace(list, journal);
    this.#set({ numeros: this.#roster.numeros, list: 'ready' });
    const known = new Set(numeros);
    for (const { event } of journal.entries) {
      const { type, numero } = event;
      // Of one that was not known yet, nothing could be told when it happened.
      if (type === 'authenticated' && !known.has(numero) && this.#roster.has(numero))
        this.#tellAuthenticated(numero);
    }
    const sessions = this.#roster.numeros.flatMap((numero) => this.session(numero) ?? []);
    this.events.call({ name: 'wo-sessions', detail: { sessions } });
  }

  #receive(push: Push): void {
    if (push.type === 'authenticated' && this.#roster.has(push.numero)) this.#tellAuthenticated(push.numero);
    this.#roster.apply(push);
  }

  #tellAuthenticated(numero: string): void {
    this.notices.add('positive', texts.authenticated(numero), `authenticated ${numero}`);
  }

  #connection(connected: boolean): void {
    // A push that finds no socket is lost, so whatever was missed is asked for (design §3).
    if (connected) this.refresh();
    if (connected === this.#snapshot.connected) return;
    if (!connected) this.#attention.disturbed();
    this.#attention.connection(connected);
    this.#set({ connected });
    this.events.call({ name: 'wo-connection-change', detail: { connected } });
  }

  #changed(change: Change): void {
    const { type, numero, session, before } = change;
    const fellBefore = this.situation(numero)?.fell;
    this.#attention.happened(change);
    // A list is told of as a whole.
    if (type === 'listed' && !before) return;
    const { numeros } = this.#roster;
    if (numeros !== this.#snapshot.numeros) this.#set({ numeros });
    if (session?.state === before?.state) return;
    const { asks, fell } = this.situation(numero) ?? {};
    const dropped = fell !== undefined && fell !== fellBefore;
    const detail = { numero, state: session?.state, previousState: before?.state, asks, dropped };
    this.events.call({ name: 'wo-session-change', detail });
  }

  #overdue(numero: string, before: Situation): void {
    this.#roster.wake(numero);
    const { session, situation } = this.known(numero) ?? {};
    if (!session || situation?.asks !== 'act') return;
    // What more time adds to it may be nothing that was not said.
    if (before.asks !== 'act' || explain(session, before) !== explain(session, situation))
      this.overdue.call(numero);
  }

  #note(numero: string, what: Entry['what'], detail: string): void {
    this.#attention.note(numero, what, detail);
    this.#roster.wake(numero);
  }

  #succeeded(numero: string): void {
    this.#attention.succeeded(numero);
    this.#roster.wake(numero);
  }

  #failed(numero: string, failure: Failure): void {
    this.#attention.failed(numero, failure);
    this.#roster.wake(numero);
  }

  #fail(cause: unknown, action: Action, topic?: string): Error {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    this.report(error, action);
    // A list that cannot be had is one trouble, however often it was asked for.
    this.notices.add('negative', error.message, action === 'fetch' ? action : topic);
    return error;
  }

  #set(change: Partial<Snapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    // Without a live connection nothing is pushed, and a list that is not there may never be asked for again.
    this.#poll.set(!this.#closed && (!this.#snapshot.connected || this.#snapshot.list !== 'ready'));
    this.#subscribers.call();
  }
}
