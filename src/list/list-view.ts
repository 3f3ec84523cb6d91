/** Which sessions are shown, how, and in which order: what the bar sets and the list follows. */
import { keepIfEqual, Observable } from '../observable.ts';
import { areInSameBuckets, arrange as inSections, sectionOf } from '../session/counts.ts';
import type { Change } from '../session/session-map.ts';
import { severityOf } from '../session/states.ts';
import type { Order, ShownView, ViewSettings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import { type Filter, isActive, matcher, NO_FILTER, wordsOn } from './filter.ts';

/** From this many sessions on there is a bar: a glance does not find one. */
const MANY = 9;
/** Milliseconds for which changes are collected: sessions move four times a second at most. */
const BATCH_MS = 250;
/** Milliseconds more for each session that may move: moving thousands keeps a browser busy for a second. */
const MOVING_MS = 1;

export interface ListState {
  /** Whether the bar is shown: like the sessions, it does not come or go under the operator's hand. */
  readonly hasBar: boolean;
  readonly view: ShownView;
  readonly order: Order;
  readonly filter: Filter;
  /** All sessions in the order to show, filtered out or not. */
  readonly numeros: readonly string[];
  /** The section of each session; undefined where the list has none. New sessions have none while others are held. */
  readonly sections: ReadonlyMap<string, string> | undefined;
  /** The sessions to show; undefined where nothing is filtered. */
  readonly found: ReadonlySet<string> | undefined;
}

/** What the host page asks for. */
export type Wanted = Readonly<Pick<ViewSettings, 'view' | 'order'>>;

/** What the operator asks for. The page decides on a view or an order that is undefined. */
export interface Choice extends Filter {
  readonly view?: ShownView | undefined;
  readonly order?: Order | undefined;
}

/**
 * Follows the sessions, but moves none under the operator's hand. The operator's choices apply at once, and as long as
 * there is a bar to take them back: below nine sessions the page's view and order apply, and nothing is filtered.
 *
 * @param isHeld - tells whether the pointer or the focus is on a session
 */
export function createListView(store: Store, first: Wanted, isHeld: () => boolean) {
  let wanted = first;
  let choice: Choice = NO_FILTER;
  /** A session that the operator has just added: shown whatever the filter, until the next choice. */
  let added: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasHeld = false;
  const state = new Observable(arranged());

  function arranged(): ListState {
    const { numeros } = store.snapshot.get();
    const hasBar = numeros.length >= MANY;
    const chosen: Choice = hasBar ? choice : NO_FILTER;
    const auto = hasBar ? 'list' : 'cards';
    const view = chosen.view ?? (wanted.view === 'auto' ? auto : wanted.view);
    const order = chosen.order ?? wanted.order ?? (view === 'list' ? 'attention' : 'server');
    const withRank = (rank: string) => numeros.filter((numero) => rankOf(numero) === rank);
    const ranks = ['added', 'attention', 'waiting', 'ok'];
    const sorted = order === 'attention' ? ranks.flatMap(withRank) : numeros;
    const groupOf = (numero: string) => sectionOf(store.get(numero)?.details.group);
    const sections = view === 'list' ? inSections(sorted, groupOf) : undefined;
    return {
      hasBar,
      view,
      order,
      filter: chosen,
      numeros: sections ? [...sections.keys()] : sorted,
      sections,
      found: isActive(chosen) ? new Set(numeros.filter(finder(chosen))) : undefined,
    };
  }

  function rankOf(numero: string): string {
    return numero === added ? 'added' : severityOf(store.get(numero)?.status.asks ?? 'nothing');
  }

  function finder(filter: Filter): (numero: string) => boolean {
    const matches = matcher(filter);
    return (numero) => {
      const record = store.get(numero);
      return numero === added || (record !== undefined && matches(record));
    };
  }

  function set(now: ListState): void {
    const before = state.get();
    const numeros = keepIfEqual(before.numeros, now.numeros);
    const old = sectionsIn(before);
    const areSame = numeros === before.numeros && keepIfEqual(old, sectionsIn(now)) === old;
    const sections = areSame ? before.sections : now.sections;
    state.set(keepIfEqual(before, { ...now, numeros, sections }));
  }

  const arrange = () => set(arranged());

  function arrangeUnlessHeld(): void {
    const held = isHeld();
    // Between two cards the pointer is on neither for a moment.
    if (held || wasHeld) soon();
    else arrange();
    wasHeld = held;
  }

  function soon(): void {
    const { order, numeros } = state.get();
    const moving = order === 'attention' ? MOVING_MS * numeros.length : 0;
    timer ??= setTimeout(() => {
      timer = undefined;
      arrangeUnlessHeld();
    }, BATCH_MS + moving);
  }

  const listed = () => (isHeld() ? keepPlaces() : arrange());

  /** Appends new sessions and moves no other. */
  function keepPlaces(): void {
    const before = state.get();
    const { numeros } = store.snapshot.get();
    const known = new Set(before.numeros);
    const now = new Set(numeros);
    const placed = [
      ...before.numeros.filter((numero) => now.has(numero)),
      ...numeros.filter((numero) => !known.has(numero)),
    ];
    const matches = finder(before.filter);
    const isFound = (numero: string) => (known.has(numero) ? before.found?.has(numero) : matches(numero));
    set({ ...before, numeros: placed, found: before.found && new Set(placed.filter(isFound)) });
    soon();
  }

  /** Whether a change can move a card. */
  function concerns({ before, now }: Change): boolean {
    const { filter, order } = state.get();
    if (before?.details.group !== now?.details.group) return true;
    if (!isActive(filter) && order === 'server') return false;
    if (!before || !now || !areInSameBuckets(before.status, now.status)) return true;
    return filter.query !== '' && (before.details !== now.details || wordsOn(before) !== wordsOn(now));
  }

  return {
    state,

    /** Follows the store; returns the function that stops it. */
    follow(): () => void {
      const stopList = store.snapshot.subscribe(listed);
      const stopChanges = store.changes.add((change) => concerns(change) && soon());
      listed();
      return () => {
        stopList();
        stopChanges();
        clearTimeout(timer);
        timer = undefined;
      };
    },

    /** The host page asks for a view and an order, which replace those that the operator has chosen. */
    setWanted(now: Wanted): void {
      if (keepIfEqual(wanted, now) === wanted) return;
      wanted = now;
      choice = { ...choice, view: undefined, order: undefined };
      arrangeUnlessHeld();
    },

    /** The operator chooses some of what can be chosen. */
    choose(change: Partial<Choice>): void {
      choice = { ...choice, ...change };
      added = undefined;
      arrange();
      const { view, order } = state.get();
      if (change.view || change.order) store.events.call({ name: 'wo-view-change', detail: { view, order } });
    },

    /** Shows a session that the operator has just added. */
    show(numero: string): void {
      added = numero;
      arrange();
    },
  };
}

/** The sessions that are not filtered out, in the order to show. */
export function visibleIn({ numeros, found }: ListState): readonly string[] {
  return found ? numeros.filter((numero) => found.has(numero)) : numeros;
}

const sectionsIn = ({ sections }: ListState): readonly string[] => [...(sections?.values() ?? [])];
