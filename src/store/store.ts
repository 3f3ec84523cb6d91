import type { PanelEventDetails } from '../events.ts';
import { keepIfEqual } from '../observable.ts';
import { MOST_SESSIONS } from '../server/parse.ts';
import type { Server } from '../server/server.ts';
import { createAggregates } from '../session/counts.ts';
import { append, type Entry } from '../session/history.ts';
import { createIntake, type JournalEntry } from '../session/journal.ts';
import type { SessionRecord } from '../session/record.ts';
import type { ListedSession, Names, Push } from '../session/session.ts';
import { type Change, hasDropped, SessionMap } from '../session/session-map.ts';
import * as texts from '../texts.ts';
import type { Extension } from '../wire.ts';
import { createActions } from './actions.ts';
import { createCalls } from './calls.ts';
import { createList } from './list.ts';
import { createReporter } from './reporter.ts';
import { createAnnounced, createSnapshot, update } from './snapshot.ts';

/** What a server has to have announced before a push of an extension counts. */
const NEEDED: Partial<Record<Push['type'], Extension>> = {
  created: 'presence',
  deleted: 'presence',
  details: 'details',
  code: 'pairing',
  ack: 'ack',
};

export type Store = ReturnType<typeof createStore>;

/**
 * The state of one panel, and the actions on it. A store joins its server when it is made, and leaves it for good when it is
 * closed.
 *
 * Cards listen to their own session (`watch`), the panel to the rest (`snapshot`): a push wakes one card, however many there
 * are.
 */
export function createStore(server: Server) {
  const snapshot = createSnapshot();
  const reporter = createReporter();
  const sessions = new SessionMap();
  const aggregates = createAggregates(sessions);
  const calls = createCalls();
  const announced = createAnnounced((extensions) => {
    update(snapshot, { extensions });
    sessions.showDetails(extensions.has('details'));
  });
  const shared = { server, calls, sessions, snapshot, reporter };
  const list = createList(shared, replace);
  // Once for all of a flood.
  const intake = createIntake(take, () => update(snapshot, { numeros: sessions.numeros }));
  /** The numbers that the host page was last told. */
  let attention: PanelEventDetails['wo-attention'] | undefined;

  function replace(listed: readonly ListedSession[], events: readonly JournalEntry[]): void {
    const known = new Set(sessions.numeros);
    sessions.replace(listed, events);
    for (const { session, facts } of sessions.records) {
      const { numero } = session;
      // An earlier list may not have had it.
      if (calls.has(`delete ${numero}`) && !facts.beforeDeletion)
        sessions.dispatch({ type: 'closing', numero });
    }
    update(snapshot, { numeros: sessions.numeros, list: 'ready' });
    for (const { event } of events) {
      // A session that was not listed yet could not be named when it was authenticated.
      if (event.type === 'authenticated' && !known.has(event.numero)) authenticated(event.numero);
    }
    // Copies: what the page does with them must not change what the panel shows.
    const copies = Array.from(sessions.records, ({ session }) => ({ ...session }));
    reporter.events.call({ name: 'wo-sessions', detail: { sessions: copies } });
    aggregates.update();
    // The first list is told of although it has no sessions.
    tellAttention();
  }

  function tellAttention(): void {
    const { ok, waiting: wait, attention: act, dropped } = aggregates.counts.get();
    const detail = keepIfEqual(attention, { act, wait, dropped, total: ok + wait + act });
    if (detail === attention) return;
    attention = detail;
    reporter.events.call({ name: 'wo-attention', detail: { ...detail } });
  }

  function receive(push: Push): void {
    const needed = NEEDED[push.type];
    if (!needed || announced.has(needed)) intake.add(push);
  }

  function take({ event, at }: JournalEntry): void {
    const { type, numero } = event;
    if (type === 'created' && sessions.size >= MOST_SESSIONS && !sessions.get(numero)) return;
    if (type === 'authenticated') authenticated(numero);
    sessions.dispatch({ ...event, at });
    // Another panel may have deleted it, or added it: the contract has no push for that.
    if (!announced.has('presence') && (type === 'disconnected' || !sessions.get(numero))) list.soon();
  }

  function authenticated(numero: string): void {
    if (sessions.get(numero))
      reporter.notify('positive', texts.authenticated(numero), `authenticated ${numero}`);
  }

  function connection(connected: boolean): void {
    announced.connection(connected);
    // Pushes that found no socket are lost: the list has what was missed.
    if (connected) void list.refresh();
    const { connected: before, connectionHistory } = snapshot.get();
    if (connected === before) return;
    if (!connected) sessions.interrupted();
    // That codes to type are over may have been pushed meanwhile.
    else
      for (const { session, pairing } of sessions.records)
        if (pairing)
          sessions.dispatch({ type: 'code', numero: session.numero, pairing: undefined, at: Date.now() });
    // The first connection is no news, nor are failed attempts before it.
    const isNews = connected ? connectionHistory.length > 0 : before === true;
    const what = connected ? 'back' : 'lost';
    const entry: Entry = { at: Date.now(), id: sessions.nextEntryId(), what, state: '' };
    update(snapshot, {
      connected,
      ...(isNews && { connectionHistory: append(connectionHistory, entry) }),
    });
    reporter.events.call({ name: 'wo-connection-change', detail: { connected } });
  }

  function changed(change: Change): void {
    const { cause, numero, before, now } = change;
    // A list is told of as a whole.
    if (cause === 'listed' && !before) return;
    const { state } = now?.session ?? {};
    const previousState = before?.session.state;
    if (state === previousState) return;
    const detail = { numero, state, previousState, asks: now?.status.asks, dropped: hasDropped(change) };
    reporter.events.call({ name: 'wo-session-change', detail });
  }

  sessions.changes.add(changed);
  aggregates.counts.subscribe(tellAttention);
  const leave = server.connect({
    push: receive,
    extensions: announced.set,
    connection,
    stalled: calls.abandon,
  });
  void list.refresh();

  return {
    snapshot,
    /** The latest notice, until it is shown. */
    notice: reporter.notice,
    /** What the host page is told. */
    events: reporter.events,
    /** Called after each change of what is known of a session. */
    changes: sessions.changes,
    /** How many sessions are in each bucket. Lags behind changes by a quarter of a second. */
    counts: aggregates.counts,
    /** How many sessions are in each group that the operators have made. Lags behind as `counts` does. */
    sections: aggregates.sections,

    /** What is known of all sessions, in the server's order. */
    get records(): Iterable<SessionRecord> {
      return sessions.records;
    },

    get: sessions.get,
    watch: sessions.watch,
    fetch: list.fetch,
    refresh: list.refresh,
    ...createActions(shared, announced, list),

    /** Takes the names that the host page gives; undefined where it leaves them to the server. */
    setLabels(labels: Names | undefined): void {
      sessions.setNames(labels);
      update(snapshot, { namedByHost: labels !== undefined });
    },

    notify: reporter.notify,
    report: reporter.report,
    reportRendering: reporter.reportRendering,

    /** Leaves the server: no socket, timer or listener stays. Actions that were asked for run to their end. */
    close(): void {
      list.stop();
      leave();
      intake.stop();
      announced.stop();
      if (snapshot.get().connected) connection(false);
      sessions.stop();
      aggregates.stop();
      reporter.events.clear();
      snapshot.clear();
    },
  };
}
