/** Which sessions are shown, how, and in which order: what the bar sets and the list follows. */
import { Observable, setIfChanged } from '../observable.ts';
import { arrange as inSections } from '../session/counts.ts';
import type { SessionRecord } from '../session/record.ts';
import { placeOf } from '../session/record.ts';
import { sectionOf } from '../session/session.ts';
import { needsAttention } from '../session/status.ts';
import type { Order, ShownView, ViewSettings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import { type Filter, isActive, matcher, NO_FILTER } from './filter.ts';

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
  /** The section of each session; undefined where the list has none. What comes in while others are held has none. */
  readonly sections: ReadonlyMap<string, string> | undefined;
  /** The sessions to show; undefined where nothing is filtered. */
  readonly found: ReadonlySet<string> | undefined;
  /** The sessions that are well, which their sections fold to one line in the order of attention. */
  readonly calm: readonly string[];
  readonly folds: Folds;
  /**
   * React's keys of the sessions that came in at the top while others were held. Each time it is another row: to move one up,
   * React would move all others, which would lose the focus and their place on the screen.
   */
  readonly rowKeys: ReadonlyMap<string, string>;
}

/** The sections that show nothing or everything; the others show what is not calm. */
type Folds = ReadonlyMap<string, 'closed' | 'open'>;

/** What the host page asks for. */
export type Wanted = Readonly<Pick<ViewSettings, 'view' | 'order'>>;

/** What the operator asks for. The page decides on a view or an order that is undefined. */
export interface Choice extends Filter {
  readonly view?: ShownView | undefined;
  readonly order?: Order | undefined;
}

export type ListView = ReturnType<typeof createListView>;

/**
 * Follows the sessions, but moves none under the operator's hand; only rows that newly need a person come in at the top. The
 * operator's choices apply at once, and as long as there is a bar to take them back: below nine sessions the page's view and
 * order apply, and nothing is filtered.
 *
 * @param isHeld - tells whether the pointer or the focus is on a session; or whether this one may not move either
 */
export function createListView(store: Store, first: Wanted, isHeld: (numero?: string) => boolean) {
  let wanted = first;
  let choice: Choice = NO_FILTER;
  /** A session that the operator has just added: shown whatever the filter, until the next choice. */
  let added: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasHeld = false;
  /** The sessions that have become well: they stay in sight until the next choice. */
  const mended = new Set<string>();
  /** The sessions that newly need a person, and are not in their places. */
  const news = new Set<string>();
  let folds: Folds = new Map();
  let rowKeys = new Map<string, string>();
  const state = new Observable(arranged());

  function arranged(): ListState {
    const { numeros } = store.snapshot.get();
    const hasBar = numeros.length >= MANY;
    const chosen: Choice = hasBar ? choice : NO_FILTER;
    const byPage = wanted.view === 'list' || (hasBar && wanted.view !== 'cards') ? 'list' : 'cards';
    const view = chosen.view ?? byPage;
    const order = chosen.order ?? wanted.order ?? (view === 'list' ? 'attention' : 'server');
    const byAttention = order === 'attention';
    const calm = byAttention ? numeros.filter(isCalm) : [];
    const urgent = byAttention ? inOrderOfAttention(numeros.filter((numero) => !isCalm(numero))) : [];
    const sorted = byAttention ? [...urgent, ...calm] : numeros;
    const groupOf = (numero: string) => sectionOf(store.get(numero)?.details.group);
    const sections = view === 'list' ? inSections(store.t, sorted, groupOf, urgent) : undefined;
    return {
      hasBar,
      view,
      order,
      filter: chosen,
      numeros: sections ? [...sections.keys()] : sorted,
      sections,
      found: isActive(chosen) ? new Set(numeros.filter(finder(chosen))) : undefined,
      calm,
      folds,
      rowKeys,
    };
  }

  function isCalm(numero: string): boolean {
    return isWell(store.get(numero)) && numero !== added && !mended.has(numero);
  }

  function inOrderOfAttention(numeros: readonly string[]): readonly string[] {
    return numeros
      .map((numero) => {
        const record = store.get(numero);
        const place = record && numero !== added ? placeOf(record) : ([-1, 0] as const);
        return [numero, ...place] as const;
      })
      .sort(([, one, oneThen], [, other, otherThen]) => one - other || oneThen - otherThen)
      .map(([numero]) => numero);
  }

  function finder(filter: Filter): (numero: string) => boolean {
    const matches = matcher(filter);
    return (numero) => {
      const record = store.get(numero);
      return numero === added || (record !== undefined && matches(record));
    };
  }

  function arrange(): void {
    news.clear();
    setIfChanged(state, arranged());
  }

  function arrangeUnlessHeld(): void {
    const held = isHeld();
    // Between two cards the pointer is on neither for a moment.
    if (held || wasHeld) keepPlaces();
    else arrange();
    wasHeld = held;
  }

  function soon(): void {
    const { order, numeros } = state.get();
    const moving = order !== 'server' ? MOVING_MS * numeros.length : 0;
    timer ??= setTimeout(() => {
      timer = undefined;
      arrangeUnlessHeld();
    }, BATCH_MS + moving);
  }

  /** Moves no session but the rows that newly need a person, which come in at the top; other new ones come last. */
  function keepPlaces(): void {
    const before = state.get();
    const { view, order, found } = before;
    const known = new Set(before.numeros);
    const sections = before.sections && new Map(before.sections);
    const matches = finder(before.filter);
    const isRising = (numero: string) =>
      // One more card would move those beside it, too.
      view === 'list' &&
      (order === 'attention' || found?.has(numero) === false) &&
      isUrgent(store.get(numero)) &&
      matches(numero) &&
      !isHeld(numero);
    const risen = inOrderOfAttention([...news].filter(isRising));
    rowKeys = new Map(rowKeys);
    for (const numero of risen) {
      news.delete(numero);
      known.delete(numero);
      sections?.delete(numero);
      rowKeys.set(numero, numero + Date.now());
    }
    const numeros = [...new Set([...risen, ...known, ...store.snapshot.get().numeros])].filter(store.get);
    const isFound = (numero: string) => (known.has(numero) ? found?.has(numero) : matches(numero));
    // Whoever rests on the list comes here several times a second.
    if (risen.length > 0 || String(numeros) !== String(before.numeros))
      state.set({ ...before, numeros, sections, found: found && new Set(numeros.filter(isFound)), rowKeys });
    soon();
  }

  return {
    state,

    /** Follows the store; returns the function that stops it. */
    follow(): () => void {
      const stopList = store.snapshot.subscribe(arrangeUnlessHeld);
      const stopChanges = store.changes.add(({ numero, before, now }) => {
        if (before && !isWell(before) && isWell(now)) mended.add(numero);
        if (!isUrgent(before) && isUrgent(now)) news.add(numero);
        soon();
      });
      arrangeUnlessHeld();
      return () => {
        stopList();
        stopChanges();
        clearTimeout(timer);
        timer = undefined;
      };
    },

    /** The host page asks for a view and an order, which replace those that the operator has chosen. */
    setWanted(now: Wanted): void {
      wanted = now;
      choice = { ...choice, view: undefined, order: undefined };
      arrangeUnlessHeld();
    },

    /** The operator chooses some of what can be chosen. */
    choose(change: Partial<Choice>): void {
      choice = { ...choice, ...change };
      added = undefined;
      mended.clear();
      arrange();
      const { view, order } = state.get();
      if (change.view || change.order) store.events.call({ name: 'wo-view-change', detail: { view, order } });
    },

    /** Folds a section, or all that is well in it; or unfolds it again. */
    fold(section: string, how: 'closed' | 'open'): void {
      const now = new Map(folds);
      if (now.get(section) === how) now.delete(section);
      else now.set(section, how);
      folds = now;
      arrange();
    },

    /** Shows a session that the operator has just added. */
    show(numero: string): void {
      added = numero;
      arrange();
    },
  };
}

const isUrgent = (record: SessionRecord | undefined): boolean => !!record && needsAttention(record.status);

const isWell = (record: SessionRecord | undefined): boolean => record?.status.asks === 'nothing';
