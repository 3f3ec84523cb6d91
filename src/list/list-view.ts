/** What the bar sets and the list follows. */
import { batch, keepIfEqual, Observable } from '../observable.ts';
import type { Store } from '../store/store.ts';
import { arrange, type Choice, isConnected, type Terms, traitsOf, type Wanted } from './arrange.ts';

/** Milliseconds for which changes are collected: sessions move four times a second at most. */
const BATCH_MS = 250;
/** Milliseconds more for each session that may move: moving thousands keeps a browser busy for a second. */
const MOVING_MS = 1;

export type ListView = ReturnType<typeof createListView>;

/**
 * Follows the sessions, but moves none that the operator uses. The operator's choices apply at once.
 *
 * @param isInUse - whether the operator uses one, by pointer or focus
 */
export function createListView(store: Store, first: Wanted, isInUse: () => boolean) {
  const inSight = new Set<string>();
  let terms: Terms = { wanted: first, choice: {}, folds: new Map(), inSight };
  let wasInUse = false;
  const state = new Observable(arrange(store.t, store.records, terms));

  function arrangeNow(held = false): void {
    const before = state.get();
    const now = arrange(store.t, store.records, terms, held ? before : undefined);
    const items = now.items.map((item, index) => keepIfEqual(before.items[index], item));
    // What would look the same is not rendered.
    state.set(keepIfEqual(before, { ...now, items: keepIfEqual(before.items, items) }));
  }

  function arrangeUnlessInUse(): void {
    const inUse = isInUse();
    // A finger clicks just after it has left.
    const held = inUse || wasInUse;
    arrangeNow(held);
    if (held) soon.add();
    wasInUse = inUse;
  }

  const soon = batch((run) => {
    const { order, items } = state.get();
    const moving = order !== 'server' ? MOVING_MS * items.length : 0;
    return setTimeout(run, BATCH_MS + moving);
  }, arrangeUnlessInUse);

  return {
    state,

    /** Follows the store; returns the function that stops it. */
    follow(): () => void {
      const stopList = store.numeros.subscribe(arrangeUnlessInUse);
      const stopChanges = store.changes.add(({ numero, before, now }) => {
        if (before && !isConnected(before) && isConnected(now)) inSight.add(numero);
        if (!soon.isWaiting() && traitsOf(state.get(), before) !== traitsOf(state.get(), now)) soon.add();
      });
      arrangeUnlessInUse();
      return () => {
        stopList();
        stopChanges();
        soon.cancel();
      };
    },

    /** The host page asks for a view and an order, which replace those that the operator has chosen. */
    setWanted(wanted: Wanted): void {
      terms = { ...terms, wanted, choice: { ...terms.choice, view: undefined, order: undefined } };
      arrangeUnlessInUse();
    },

    /** The operator chooses some of what can be chosen. */
    choose(choice: Choice): void {
      inSight.clear();
      terms = { ...terms, choice: { ...terms.choice, ...choice }, added: undefined };
      arrangeNow();
      const { view, order } = state.get();
      if (choice.view || choice.order) store.events.call({ name: 'wo-view-change', detail: { view, order } });
    },

    /** Folds a section, or all that is connected in it; or unfolds it again. */
    fold(section: string, how: 'closed' | 'open'): void {
      const folds = new Map(terms.folds);
      if (folds.get(section) === how) folds.delete(section);
      else folds.set(section, how);
      terms = { ...terms, folds };
      arrangeNow();
    },

    /** Shows a session that the operator has just added. */
    show(added: string): void {
      inSight.add(added);
      terms = { ...terms, added };
      arrangeNow();
    },
  };
}
