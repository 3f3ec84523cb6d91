/** What the bar sets and the list follows. */
import { batch, keepIfEqual, Observable } from '../observable.ts';
import type { SessionRecord } from '../session/record.ts';
import type { Order, ShownView } from '../settings.ts';
import type { Store } from '../store/store.ts';
import { arrange, isConnected, sectionOfRecord, sortKeyOf, type Terms, type Wanted } from './arrange.ts';
import { type Criteria, compile, NO_FILTER } from './filter.ts';

/** Milliseconds for which changes are collected: sessions move four times a second at most. */
const BATCH_MS = 250;
/** Milliseconds more for each session that may move: moving thousands keeps a browser busy for a second. */
const MOVING_MS = 1;

/** What the operator chooses in the bar. The page decides on a view or an order that is not chosen. */
export interface Choice extends Partial<Criteria> {
  readonly view?: ShownView;
  readonly order?: Order | undefined;
}

export type ListView = ReturnType<typeof createListView>;

/**
 * Follows the sessions, but moves none under the operator's hand; only rows that newly need a person come in at the top. The
 * operator's choices apply at once.
 *
 * @param isInteracting - whether the operator uses any session, by pointer or focus; or this one
 */
export function createListView(store: Store, first: Wanted, isInteracting: (numero?: string) => boolean) {
  const inSight = new Set<string>();
  let terms: Terms = { wanted: first, filter: NO_FILTER, folds: new Map(), inSight };
  let wasInteracting = false;
  const state = new Observable(arrange(store.t, records(), terms));

  function records(): readonly SessionRecord[] {
    return store.numeros.get().flatMap((numero) => store.get(numero) ?? []);
  }

  function arrangeNow(keepsOrder = false): void {
    const before = state.get();
    const now = arrange(store.t, records(), terms, before, keepsOrder ? isInteracting : undefined);
    const items = now.items.map((item, index) => keepIfEqual(before.items[index], item));
    // What would look the same is not rendered.
    state.set(keepIfEqual(before, { ...now, items: keepIfEqual(before.items, items) }));
  }

  function arrangeUnlessInteracting(): void {
    const isNow = isInteracting();
    // Between two cards the pointer is on neither for a moment.
    const keepsOrder = isNow || wasInteracting;
    arrangeNow(keepsOrder);
    if (keepsOrder) soon.add();
    wasInteracting = isNow;
  }

  const soon = batch((run) => {
    const { order, items } = state.get();
    const moving = order !== 'server' ? MOVING_MS * items.length : 0;
    return setTimeout(run, BATCH_MS + moving);
  }, arrangeUnlessInteracting);

  /** What of a session decides on its place: what else changes arranges nothing. */
  function traitsOf(record: SessionRecord | undefined): string | undefined {
    if (!record) return undefined;
    const { view, order, filter } = state.get();
    return String([
      view === 'list' && sectionOfRecord(record),
      (order === 'attention' || filter.matches) && sortKeyOf(record),
      filter.matches?.(record),
    ]);
  }

  return {
    state,

    /** Follows the store; returns the function that stops it. */
    follow(): () => void {
      const stopList = store.numeros.subscribe(arrangeUnlessInteracting);
      const stopChanges = store.changes.add(({ numero, before, now }) => {
        if (before && !isConnected(before) && isConnected(now)) inSight.add(numero);
        if (traitsOf(before) !== traitsOf(now)) soon.add();
      });
      arrangeUnlessInteracting();
      return () => {
        stopList();
        stopChanges();
        soon.cancel();
      };
    },

    /** The host page asks for a view and an order, which replace those that the operator has chosen. */
    setWanted(wanted: Wanted): void {
      terms = { ...terms, wanted, view: undefined, order: undefined };
      arrangeUnlessInteracting();
    },

    /** The operator chooses some of what can be chosen. */
    choose(choice: Choice): void {
      const { view = terms.view, order = terms.order, ...criteria } = choice;
      const filter = compile({ ...terms.filter, ...criteria });
      inSight.clear();
      terms = { ...terms, view, order, filter, added: undefined };
      arrangeNow();
      const detail = { view: state.get().view, order: state.get().order };
      if (choice.view || choice.order) store.events.call({ name: 'wo-view-change', detail });
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
