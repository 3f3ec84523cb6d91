import { keepIfEqual } from '../observable.ts';
import { MOST_SESSIONS } from '../server/parse.ts';
import type { Server } from '../server/server.ts';
import { createAggregates } from '../session/counts.ts';
import { limitPushes } from '../session/journal.ts';
import type { Description, Names, Push, TimedEvent } from '../session/session.ts';
import { hasDropped } from '../session/session-map.ts';
import * as texts from '../texts/sentences.ts';
import type { Translate } from '../texts/translate.ts';
import type { Extension } from '../wire.ts';
import { createCalls } from './calls.ts';
import type { PanelEventDetails } from './events.ts';
import { createList } from './list.ts';
import { createShared } from './shared.ts';

/** The extension that a push belongs to: it counts only if the server has announced that. */
const NEEDED: Partial<Record<Push['type'], Extension>> = {
  created: 'presence',
  deleted: 'presence',
  details: 'details',
  code: 'pairing',
  ack: 'ack',
};

export type Store = ReturnType<typeof createStore>;

/**
 * The state of one panel, and the actions on it. It joins its server when it is created.
 *
 * The sessions have their own listeners (`changes`), and the rest of the panel others (`snapshot`): a push wakes one card,
 * however many there are.
 */
export function createStore(server: Server, t: Translate) {
  const shared = createShared(server, t);
  const { sessions, extensions, permissions, snapshot, update, notices, notify, events, report } = shared;
  const aggregates = createAggregates(t, sessions);
  let listsShown = 0;
  const calls = createCalls(shared, () => listsShown);
  const list = createList(shared, calls, replace);
  // Once for all of a flood.
  const intake = limitPushes(take, sessions.updateNumeros);
  let attention: PanelEventDetails['wo-attention'] | undefined;

  function replace(listed: readonly Description[], pushed: readonly TimedEvent[]): void {
    const known = new Set(sessions.numeros.get());
    listsShown += 1;
    sessions.replace(listed, pushed);
    for (const [numero, { beforeDeletion }] of sessions.all) {
      // An earlier list may not have had it.
      if (calls.isDeleting(numero) && !beforeDeletion) sessions.dispatch({ type: 'closing', numero });
    }
    sessions.updateNumeros();
    update({ list: 'ready' });
    for (const { type, numero } of pushed) {
      // When it was authenticated, it was not listed, and no notice was shown.
      if (type === 'authenticated' && !known.has(numero)) authenticated(numero);
    }
    // Copies: what the page does with them must not change what the panel shows.
    const copies = sessions.records.map(({ session }) => ({ ...session }));
    events.call({ name: 'wo-sessions', detail: { sessions: copies } });
    aggregates.update();
    // The first list is reported although it has no sessions.
    reportAttention();
  }

  function reportAttention(): void {
    const { ok, waiting: wait, attention: act, dropped } = aggregates.counts.get();
    const detail = keepIfEqual(attention, { act, wait, dropped, total: ok + wait + act });
    if (detail === attention) return;
    attention = detail;
    events.call({ name: 'wo-attention', detail: { ...detail } });
  }

  function take(event: TimedEvent): void {
    const { type, numero } = event;
    const isListed = sessions.all.has(numero);
    if (type === 'created' && sessions.all.size >= MOST_SESSIONS && !isListed) return;
    if (type === 'authenticated') authenticated(numero);
    // Not of what was deleted here, whose answer is still to come.
    if (type === 'deleted' && event.notice && sessions.get(numero) && !calls.isDeleting(numero))
      notify({ kind: 'positive', text: event.notice, numero });
    sessions.dispatch(event);
    // Another panel may have deleted it, or added it: the contract has no push for that.
    if ((!isListed || (type === 'disconnected' && sessions.get(numero))) && !extensions.has('presence'))
      list.soon();
  }

  function authenticated(numero: string): void {
    if (!sessions.get(numero)) return;
    const replaceKey = `authenticated ${numero}`;
    notify({ kind: 'positive', text: t(texts.authenticated, numero), replaceKey, numero });
  }

  function connection(connected: boolean): void {
    extensions.connection(connected);
    permissions.connection(connected);
    if (connected) {
      // Pushes that found no socket are lost: the list has what was missed.
      void list.refresh();
      // The end of a code to type may have been among them.
      for (const [numero, { pairing }] of sessions.all)
        if (pairing) sessions.dispatch({ type: 'code', numero, pairing: undefined, at: Date.now() });
    }
    if (connected === snapshot.get().connected) return;
    update({ connected });
    events.call({ name: 'wo-connection-change', detail: { connected } });
  }

  sessions.changes.add((change) => {
    const { cause, numero, before, now } = change;
    // `wo-sessions` has what a list adds, and the page knows what it has changed itself.
    if (cause === 'configured' || (cause === 'listed' && !before)) return;
    const { state } = now?.session ?? {};
    const previousState = before?.session.state;
    if (state === previousState) return;
    const detail = { numero, state, previousState, asks: now?.status.asks, dropped: hasDropped(change) };
    events.call({ name: 'wo-session-change', detail });
  });
  aggregates.counts.subscribe(reportAttention);
  void list.refresh();
  const leave = server.connect((news) => {
    switch (news.type) {
      case 'extensions':
        return extensions.set(news.words, news.notifies);
      case 'permissions':
        return permissions.set(news.words);
      case 'connection':
        return connection(news.connected);
      case 'stalled':
        return calls.abandon(news.ms);
      case 'loading':
        return list.follow();
    }
    const needed = NEEDED[news.type];
    if (!needed || extensions.has(needed)) intake.add(news);
  });

  return {
    t,
    /** The only session that there is; undefined where there may be any. */
    numero: server.numero,
    snapshot,
    notices,
    notify,
    events,
    changes: sessions.changes,
    /** In the server's order. The same array until one comes, goes or moves. */
    numeros: sessions.numeros,
    /** How many sessions are in each bucket. Lags behind changes by a quarter of a second. */
    counts: aggregates.counts,
    /** How many sessions are in each group that the operators have made. Lags behind as `counts` does. */
    sections: aggregates.sections,

    get records() {
      return sessions.records;
    },

    /** What is known of those of other groups, too. */
    all: sessions.all,
    get: sessions.get,
    fetch: list.fetch,
    refresh: list.refresh,
    run: calls.run,

    /** The operator wants to see a code although its time is over. */
    trustCode: (numero: string): void => sessions.dispatch({ type: 'codeTrusted', numero }),

    /** Sets the names that the host page gives; undefined where it leaves them to the server. */
    setLabels(labels: Names | undefined): void {
      sessions.configure({ names: labels });
      update({ namedByHost: labels !== undefined });
    },

    /** Sets whose sessions are shown: groups, separated by commas; all where there is none. */
    setGroup: (group: string): void => sessions.configure({ group }),

    /** Reports that a part of the screen failed to render: it says so in its place. */
    reportRendering: (cause: unknown): Error => report(cause, 'render'),

    /** Leaves the server: no socket, timer or listener stays. Actions run to their end. */
    close(): void {
      // First: what it waits for, others may wait for too.
      leave();
      list.stop();
      intake.stop();
      extensions.stop();
      permissions.stop();
      if (snapshot.get().connected) connection(false);
      sessions.stop();
      aggregates.stop();
      events.clear();
    },
  };
}
