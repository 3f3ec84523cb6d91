import type { Action, PanelEvent, PanelEventDetails } from './events.ts';
import { keepIfEqual } from './keep-if-equal.ts';
import { Listeners, Observable } from './observable.ts';
import { createAnnounced } from './server/announced.ts';
import { RequestError } from './server/http.ts';
import { ListPoll } from './server/list-poll.ts';
import { MOST_SESSIONS } from './server/parse.ts';
import type { AckPush, SentLink } from './server/parse-extensions.ts';
import { RenewableCalls } from './server/renewable-calls.ts';
import type { Server, TestMessage } from './server/server.ts';
import type { Ack } from './session/acks.ts';
import type { Counts } from './session/counts.ts';
import type { Names, Naming } from './session/details.ts';
import { append, type Entry, type PastPage } from './session/history.ts';
import { createIntake } from './session/intake.ts';
import type { Journal, JournalEntry } from './session/journal.ts';
import type { Sections } from './session/sections.ts';
import type { Aside, ListedSession, Push } from './session/session.ts';
import { type Change, hasDropped, SessionMap, type SessionRecord } from './session/session-map.ts';
import { Tally } from './session/tally.ts';
import * as texts from './texts.ts';
import { type Extension, STATES } from './wire.ts';

/** What the panel as a whole shows. The sessions themselves are read one by one: {@link Store.get}. */
export interface Snapshot {
  /** The sessions, in the server's order. The same array until one comes or goes. */
  readonly numeros: readonly string[];
  /** `loading` while the overlay is up; `failed` while there is no list to show. */
  readonly list: 'loading' | 'ready' | 'failed';
  /** Why the list could last not be loaded. */
  readonly listError?: string;
  /** Whether pushes arrive; undefined until the first attempt to connect has ended. */
  readonly connected: boolean | undefined;
  /** What happened to the live connection, the oldest first. */
  readonly connectionHistory: readonly Entry[];
  /** The number that the server last accepted a test message for. */
  readonly destination?: string;
  /** What the server can do beside the contract, as it announced since the last connection. */
  readonly extensions: ReadonlySet<Extension>;
  /** Whether the host page keeps the names: then they are not edited here. */
  readonly namedByHost: boolean;
}

/** Something to tell the operator once. */
export interface Notice {
  readonly kind: 'positive' | 'negative';
  readonly text: string;
  /** What it is about, where only the last word on that is worth a place. */
  readonly replaceKey: string | undefined;
}

/** What a server has to have announced before a push of an extension counts. */
const NEEDED: Partial<Record<(Push | AckPush)['type'], Extension>> = {
  created: 'presence',
  deleted: 'presence',
  details: 'details',
  code: 'pairing',
  ack: 'ack',
};

/** How an action ended: with the numero that it was about, or an error. */
export type Outcome = { readonly numero: string; readonly error?: undefined } | { readonly error: Error };

/**
 * The state of one panel, and the actions on it. A store joins its server when it is made, and leaves it for good with
 * {@link Store.close}.
 *
 * Cards listen to their own session ({@link Store.watch}), the panel to the rest ({@link Store.snapshot}): a push wakes
 * one card, however many there are.
 */
export class Store {
  readonly snapshot = new Observable<Snapshot>({
    numeros: [],
    list: 'loading',
    connected: undefined,
    connectionHistory: [],
    extensions: new Set(),
    namedByHost: false,
  });
  /** The latest notice, until it is shown. */
  readonly notice = new Observable<Notice | undefined>(undefined);
  /** What the host page is told. */
  readonly events = new Listeners<[PanelEvent]>();

  readonly #server: Server;
  readonly #leave: () => void;
  readonly #sessions = new SessionMap();
  readonly #tally = new Tally(this.#sessions);
  readonly #intake = createIntake(
    (entry) => this.#take(entry),
    () => this.#taken(),
  );
  /** Whether a session has come or gone since the last {@link #taken}. */
  #hasOthers = false;
  readonly #announced = createAnnounced((extensions) => {
    this.#set({ extensions });
    this.#sessions.showDetails(extensions.has('details'));
  });
  /** The numbers that the host page was last told. */
  #attention: PanelEventDetails['wo-attention'] | undefined;
  /** The calls under way, so that a double click starts none twice. */
  readonly #underWay = new Map<string, Promise<Outcome>>();
  readonly #starts: RenewableCalls<string>;
  readonly #deletions: RenewableCalls<string | undefined>;
  /** The requests for the list that are under way, the oldest first. */
  readonly #listCalls = new Set<AbortController>();
  readonly #closing = new AbortController();
  readonly #poll = new ListPoll(() => this.#pollList(), this.#closing.signal);
  #lastFetch = 0;
  /** Which fetch the list that is shown came from. */
  #lastList = 0;
  /** Whether the last fetch that was answered had failed. */
  #listFailed = false;
  /** The last ack of each message, by id, of the numeros that are sending: it may overtake the answer. */
  readonly #acks = new Map<string, Map<string, Ack>>();

  constructor(server: Server) {
    this.#server = server;
    this.#starts = new RenewableCalls(server.start);
    this.#deletions = new RenewableCalls(server.delete);
    this.#sessions.changes.add((change) => this.#changed(change));
    this.counts.subscribe(() => this.#counted());
    this.#leave = server.connect({
      push: (push) => this.#receive(push),
      extensions: (extensions) => this.#announced.set(extensions),
      connection: (connected) => this.#connection(connected),
    });
    this.#poll.set(true);
    void this.refresh();
  }

  /** Leaves the server: no socket, timer or listener stays. Actions that were asked for run to their end. */
  close(): void {
    this.#closing.abort();
    this.#abortLists();
    this.#leave();
    this.#intake.stop();
    this.#announced.stop();
    if (this.snapshot.get().connected) this.#connection(false);
    this.#sessions.stop();
    this.#tally.stop();
    this.events.clear();
    this.snapshot.clear();
  }

  /** Called after each change of what is known of a session. */
  get changes(): Pick<Listeners<[Change]>, 'add'> {
    return this.#sessions.changes;
  }

  /** How many sessions are in each group. Lags behind changes by a quarter of a second. */
  get counts(): Observable<Counts> {
    return this.#tally.counts;
  }

  /** How many sessions are in each group that the operators have made. Lags behind as {@link counts} does. */
  get sections(): Observable<Sections> {
    return this.#tally.sections;
  }

  /** What is known of all sessions, in the server's order. */
  get records(): Iterable<SessionRecord> {
    return this.#sessions.records;
  }

  /** What is known of a session. The same object until something changes. */
  get(numero: string): SessionRecord | undefined {
    return this.#sessions.get(numero);
  }

  /** Calls the listener when {@link get} returns another record; returns the function that stops it. */
  watch(numero: string, listener: () => void): () => void {
    return this.#sessions.watch(numero, listener);
  }

  /** Loads the list behind the overlay, and no longer waits for an earlier one. */
  fetch(): Promise<void> {
    this.#abortLists();
    this.#set({ list: 'loading' });
    return this.refresh();
  }

  /** Loads the list. Never rejects: a failure is reported. */
  refresh(): Promise<void> {
    return this.#loadList(() => true);
  }

  /** Loads the list without being asked to: of failures in a row only the first is reported. */
  #pollList(): void {
    // An older call may only be slow; two that hang are enough.
    const [oldest] = this.#listCalls;
    if (this.#listCalls.size > 1) oldest?.abort();
    void this.#loadList(() => !this.#listFailed);
  }

  #abortLists(): void {
    for (const call of this.#listCalls) call.abort();
  }

  async #loadList(isFailureReported: () => boolean): Promise<void> {
    this.#lastFetch += 1;
    const id = this.#lastFetch;
    const journal = this.#sessions.openJournal();
    const call = new AbortController();
    this.#listCalls.add(call);
    this.#poll.requested();
    try {
      const list = await this.#server.list(call.signal);
      this.#listFailed = false;
      // A list that was asked for before the one that is shown is older.
      if (id < this.#lastList) return;
      this.#lastList = id;
      this.#replace(list, journal);
    } catch (error) {
      if (call.signal.aborted) return;
      if (isFailureReported()) this.#fail(error, 'fetch');
      this.#listFailed = true;
      // A list that is shown stays; a later fetch may still be under way.
      const isLost = this.snapshot.get().list !== 'ready' && id === this.#lastFetch;
      this.#set(isLost ? { list: 'failed', listError: toError(error).message } : {});
    } finally {
      this.#listCalls.delete(call);
      // One that was given up was no answer: its successor is under way.
      if (!call.signal.aborted) this.#poll.answered();
      this.#sessions.closeJournal(journal);
    }
  }

  /**
   * Adds a session or starts it anew. One whose deletion is under way is started when that has ended.
   * @param replaceKey - of its notices, where it is one of many: each replaces the one before
   */
  up(numero: string, replaceKey?: string): Promise<Outcome> {
    const start = async () => {
      await this.#underWay.get(`delete ${numero}`);
      const before = this.get(numero)?.reported;
      const journal = this.#sessions.openJournal();
      const listBefore = this.#lastList;
      this.#sessions.interrupted();
      this.#sessions.startAsked(numero);
      const started = await this.#starts.run(numero).finally(() => {
        this.#sessions.closeJournal(journal);
        this.#sessions.startAnswered(numero);
      });
      const all = journal.entries.filter(({ event }) => event.numero === started);
      const deleted = all.findLastIndex(({ event }) => event.type === 'deleted');
      const events = all.slice(deleted + 1);
      const isGone = deleted >= 0 && !events.some(({ event }) => event.type === 'created');
      // A deletion that came after the start is newer, and so is a list that tells something new of the session. With
      // presence it may be the late push of the deletion before: then that of the creation follows.
      if (this.#isDeleting(started) || (isGone && !this.#announced.has('presence'))) return started;
      // Of one that the server calls otherwise it is not known what it was.
      const wasUp = started !== numero || (before !== undefined && before.state !== STATES.disconnected);
      const reported = this.get(started)?.reported;
      if (!isGone && (this.#lastList === listBefore || !reported || reported === before))
        this.#begin(started, events, wasUp);
      else this.#sessions.succeeded(started);
      this.notify('positive', texts.started(started), replaceKey);
      return started;
    };
    return this.#once('up', numero, start, replaceKey);
  }

  /** Deletes a session, which shows 'CERRANDO SESIÓN...' until the server has answered. */
  delete(numero: string): Promise<Outcome> {
    return this.#once('delete', numero, async () => {
      // One that has gone in the meantime is deleted.
      const notice = this.get(numero) && (await this.#closeUntilDeleted(numero));
      this.notify('positive', notice ?? texts.deleted(numero));
    });
  }

  /**
   * Sends a test message. Spaces, hyphens, parentheses, dots, a leading + and invisible marks of the number are
   * dropped; what is then no number is reported and not sent (design §3).
   */
  send({ from, to, text }: TestMessage): Promise<Outcome> {
    return this.#once('send', from, async () => {
      const number = to.replace(/[\s().\p{Dash}\p{Format}]/gu, '').replace(/^\+/, '');
      if (!/^\d+$/.test(number) || !Number.isSafeInteger(Number(number))) {
        throw new RequestError('number', texts.invalidNumber);
      }
      const acks = new Map<string, Ack>();
      this.#acks.set(from, acks);
      const id = await this.#server.send({ from, to: number, text }).finally(() => this.#acks.delete(from));
      this.notify('positive', texts.sent(number));
      this.#sessions.note(from, 'accepted', number);
      if (id && this.#announced.has('ack')) {
        this.#sessions.sent(from, { id, status: 'accepted', at: Date.now() });
        const ack = acks.get(id);
        if (ack) this.#sessions.acked(from, ack);
      }
      this.#set({ destination: number });
    });
  }

  /** Names a session: an empty text removes a name, and one that is left out stays. */
  rename(numero: string, naming: Naming): Promise<Outcome> {
    return this.#once('rename', numero, async () => {
      this.#require('label');
      await this.#learn(async () => {
        const change = await this.#server.rename(numero, naming);
        return { type: 'details', numero, change };
      });
    });
  }

  /** Unlinks the phone of a session, which stays on the list. */
  unlink(numero: string): Promise<Outcome> {
    return this.#once('unlink', numero, async () => {
      this.#require('unlink');
      await this.#server.unlink(numero);
    });
  }

  /** Asks for a code to type on the phone: see {@link SessionRecord.pairing}. */
  pair(numero: string): Promise<Outcome> {
    return this.#once('pair', numero, async () => {
      this.#require('pairing');
      await this.#learn(async () => ({ type: 'code', numero, pairing: await this.#server.pair(numero) }));
    });
  }

  /** Makes a link for the person who holds the phone. A failure is reported, and returned. */
  async createLink(numero: string): Promise<SentLink | Error> {
    try {
      this.#require('link');
      return await this.#server.createLink(numero);
    } catch (cause) {
      return this.#fail(cause, 'link');
    }
  }

  /** Ends the link of a session. */
  revokeLink(numero: string): Promise<Outcome> {
    return this.#once('link', numero, async () => {
      this.#require('link');
      await this.#server.revokeLink(numero);
    });
  }

  /**
   * Loads what the server remembers of a session: a page of at most 50 entries.
   * @param before - only entries that are older, in milliseconds since 1970, by the server's clock
   * @throws {RequestError} which is not reported
   */
  async loadHistory(numero: string, before?: number): Promise<PastPage> {
    this.#require('history');
    return this.#server.history(numero, before);
  }

  /** The names that the host page gives; undefined where it leaves them to the server. */
  setLabels(labels: Names | undefined): void {
    this.#sessions.setNames(labels);
    this.#set({ namedByHost: labels !== undefined });
  }

  /** Sends a start again that the server has not answered; returns false where none is under way. */
  upAgain(numero: string): boolean {
    const renewed = this.#starts.renew(numero);
    if (renewed) this.#sessions.startAsked(numero);
    return renewed;
  }

  /** Aborts a start whose answer is late. */
  giveUpStart(numero: string): void {
    if (this.get(numero)?.status.unanswered) this.#starts.giveUp(numero);
  }

  /** Sends a deletion again that the server has not answered; returns false where none is under way. */
  deleteAgain(numero: string): boolean {
    const renewed = this.#deletions.renew(numero);
    if (renewed) this.#sessions.close(numero);
    return renewed;
  }

  /** Shows the code of a session although its time is over. */
  trustCode(numero: string): void {
    this.#sessions.trustCode(numero);
  }

  /** Shows a notice. One with a `replaceKey` replaces the one before with the same key. */
  notify(kind: Notice['kind'], text: string, replaceKey?: string): void {
    this.notice.set({ kind, text, replaceKey });
  }

  /** Reports a failure to the log and the page (spec §8). */
  report(error: Error, action: Action): void {
    console.error('whatsapp-operadores:', error);
    this.events.call({ name: 'wo-error', detail: { error, action } });
  }

  /** Reports that a part of the screen failed to render: it says so in its place. */
  readonly reportRendering = (cause: unknown): void => this.report(toError(cause), 'render');

  /** Reports a failure to the log, the page and the operator. */
  #fail(cause: unknown, action: Action, replaceKey?: string): Error {
    const error = toError(cause);
    this.report(error, action);
    // A list that cannot be had is one failure, however often it was requested.
    this.notify('negative', error.message, action === 'fetch' ? action : replaceKey);
    return error;
  }

  /** Runs an action, which may answer another numero, unless it is under way already. A failure is reported. */
  #once(
    name: Exclude<Action, 'fetch' | 'render'>,
    numero: string,
    action: () => Promise<unknown>,
    replaceKey?: string,
  ): Promise<Outcome> {
    const key = `${name} ${numero}`;
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const run = action()
      .then((about): Outcome => ({ numero: typeof about === 'string' ? about : numero }))
      .catch((cause: unknown): Outcome => {
        const error = this.#fail(cause, name, replaceKey);
        if (name === 'send') this.#sessions.note(numero, 'refused', error.message);
        else if (name === 'up' || name === 'delete') this.#sessions.failed(numero, { action: name, error });
        return { error };
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, run);
    return run;
  }

  /** Takes what a call answers of a session, unless pushes since it was made have said more. */
  async #learn(call: () => Promise<Aside>): Promise<void> {
    const journal = this.#sessions.openJournal();
    const answer = await call().finally(() => this.#sessions.closeJournal(journal));
    const isAbout = ({ event }: Journal['entries'][number]) =>
      event.numero === answer.numero && event.type === answer.type;
    const pushed = journal.entries.find(isAbout)?.event;
    if (answer.type === 'details' && pushed?.type === 'details')
      this.#sessions.apply({ ...answer, change: { ...answer.change, ...pushed.change } });
    else if (!pushed) this.#sessions.apply(answer);
  }

  #isDeleting(numero: string): boolean {
    return this.#underWay.has(`delete ${numero}`);
  }

  /** Lists a session that was started, with what was pushed about it before the server's answer came. */
  #begin(numero: string, events: Journal['entries'], wasUp: boolean): void {
    this.#sessions.apply({ type: 'started', numero });
    const end = events.findLastIndex(
      ({ event }) => event.type === 'disconnected' || event.type === 'qr_timeout',
    );
    // The end of a session that was up belongs to the life before, with all that came before it.
    for (const { event, at } of events.slice(wasUp ? end + 1 : 0)) this.#sessions.apply(event, at);
    this.#taken();
  }

  async #closeUntilDeleted(numero: string): Promise<string | undefined> {
    this.#sessions.close(numero);
    const notice = await this.#deletions.run(numero).catch((error: unknown) => {
      this.#sessions.reopen(numero);
      throw error;
    });
    this.#sessions.apply({ type: 'deleted', numero });
    this.#taken();
    return notice;
  }

  #replace(list: readonly ListedSession[], journal: Journal): void {
    const known = new Set(this.snapshot.get().numeros);
    this.#sessions.replace(list, journal);
    const { numeros } = this.#sessions;
    for (const numero of numeros) {
      // An earlier list may not have had it.
      if (this.#isDeleting(numero) && !this.get(numero)?.facts.deletion) this.#sessions.close(numero);
    }
    this.#set({ numeros, list: 'ready' });
    for (const { event } of journal.entries) {
      // A session that was not listed yet could not be named when it was authenticated.
      if (event.type === 'authenticated' && !known.has(event.numero)) this.#authenticated(event.numero);
    }
    const sessions = Array.from(this.records, ({ session }) => session);
    this.events.call({ name: 'wo-sessions', detail: { sessions } });
    this.#tally.count();
    // The first list is told of although it has no sessions.
    this.#counted();
  }

  #counted(): void {
    const { ok, waiting: wait, attention: act, dropped } = this.counts.get();
    const detail = keepIfEqual(this.#attention, { act, wait, dropped, total: ok + wait + act });
    if (detail === this.#attention) return;
    this.#attention = detail;
    this.events.call({ name: 'wo-attention', detail });
  }

  #receive(push: Push | AckPush): void {
    const { type, numero } = push;
    const needed = NEEDED[type];
    if (needed && !this.#announced.has(needed)) return;
    if (push.type === 'ack') {
      this.#acks.get(numero)?.set(push.id, push);
      this.#sessions.acked(numero, push);
      return;
    }
    this.#intake.add(push);
  }

  #take({ event, at }: JournalEntry): void {
    const { type, numero } = event;
    if (type === 'created' && this.#sessions.size >= MOST_SESSIONS && !this.get(numero)) return;
    if (type === 'authenticated') this.#authenticated(numero);
    this.#sessions.apply(event, at);
    // Another panel may have deleted it, or added it: the contract has no push for that.
    if (this.#announced.has('presence')) return;
    if (type === 'disconnected' || !this.get(numero)) this.#poll.soon();
  }

  #authenticated(numero: string): void {
    if (this.get(numero)) this.notify('positive', texts.authenticated(numero), `authenticated ${numero}`);
  }

  /** Tells of those who came and went, once for all of a flood. */
  #taken(): void {
    if (this.#hasOthers) this.#set({ numeros: this.#sessions.numeros });
    this.#hasOthers = false;
  }

  /** @throws {RequestError} where the server no longer announces what something that is still open needs. */
  #require(extension: Extension): void {
    if (!this.#announced.has(extension)) throw new RequestError('extension', texts.notOffered);
  }

  #connection(connected: boolean): void {
    this.#announced.connection(connected);
    // Pushes that found no socket are lost: the list has what was missed (design §3).
    if (connected) void this.refresh();
    const { connected: before, connectionHistory } = this.snapshot.get();
    if (connected === before) return;
    if (!connected) this.#sessions.interrupted();
    // That it is over may have been pushed meanwhile.
    if (connected) this.#sessions.dropPairings();
    // The first connection is no news, nor are failed attempts before it.
    const isNews = connected ? connectionHistory.length > 0 : before === true;
    const entry = isNews && this.#sessions.newEntry(connected ? 'back' : 'lost', '');
    this.#set({ connected, ...(entry && { connectionHistory: append(connectionHistory, entry) }) });
    this.events.call({ name: 'wo-connection-change', detail: { connected } });
  }

  #changed(change: Change): void {
    const { cause, numero, before, now } = change;
    // A list is told of as a whole.
    if (cause === 'listed' && !before) return;
    if (cause !== 'listed' && !before !== !now) this.#hasOthers = true;
    const { state } = now?.session ?? {};
    const previousState = before?.session.state;
    if (state === previousState) return;
    const detail = { numero, state, previousState, asks: now?.status.asks, dropped: hasDropped(change) };
    this.events.call({ name: 'wo-session-change', detail });
  }

  #set(change: Partial<Snapshot>): void {
    const before = this.snapshot.get();
    const now = { ...before, ...change };
    this.snapshot.set({ ...now, numeros: keepIfEqual(before.numeros, now.numeros) });
    // Without a live connection nothing is pushed, and a list that could not be had may never be requested again.
    this.#poll.set(!now.connected || now.list !== 'ready' || this.#listFailed);
  }
}

const toError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)));
