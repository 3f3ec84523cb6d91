/** Which sessions are shown, how, and in which order: what the bar sets and the list follows. */
import { keepIfEqual, Observable } from '../observable.ts';
import { areInSameBuckets, arrange, sectionOf } from '../session/counts.ts';
import type { Change } from '../session/session-map.ts';
import { type Severity, severityOf } from '../session/states.ts';
import type { Order, ShownView, View } from '../settings.ts';
import type { Store } from '../store/store.ts';
import { type Filter, isActive, matcher, NO_FILTER, wordsOn } from './filter.ts';

/** From this many sessions on, finding one takes more than a look: there is a bar. */
const MANY = 9;
/** Milliseconds for which changes are collected: sessions move four times a second at most. */
const BATCH_MS = 250;
/** Milliseconds more for each session that may move: moving thousands keeps a browser busy for a second. */
const MOVING_MS = 1;

export interface ListState {
  /** Whether the bar is shown: like the sessions, it does not come or go under the operator's hand. */
  readonly hasBar: boolean;
  readonly view: ShownView;
  readonly filter: Filter;
  readonly order: Order;
  /** How often the operator has asked for another filter, order or view. */
  readonly asked: number;
  /** All sessions in the order to show, filtered out or not. */
  readonly numeros: readonly string[];
  /** The section of each session; undefined where the list has none. New sessions have none while others are held. */
  readonly sections: ReadonlyMap<string, string> | undefined;
  /** The sessions to show; undefined where nothing is filtered. */
  readonly found: ReadonlySet<string> | undefined;
}

/** What the host page asks for. */
export interface Wanted {
  readonly view: View;
  /** Undefined where the view decides. */
  readonly order: Order | undefined;
}

/**
 * Follows the sessions, but moves none under the operator's hand. What the operator asks for is done at once, and holds
 * until the host page asks for something else.
 */
export class ListView {
  readonly state = new Observable<ListState>({
    hasBar: false,
    view: 'cards',
    filter: NO_FILTER,
    order: 'server',
    asked: 0,
    numeros: [],
    sections: undefined,
    found: undefined,
  });
  readonly #store: Store;
  readonly #isHeld: () => boolean;
  #wanted: Wanted;
  #chosen: { readonly view?: ShownView; readonly order?: Order } = {};
  /** A session that the operator has just added: shown whatever the filter, until that changes. */
  #added: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wasHeld = false;

  /** @param isHeld - tells whether the pointer or the focus is on a session */
  constructor(store: Store, wanted: Wanted, isHeld: () => boolean) {
    this.#store = store;
    this.#wanted = wanted;
    this.#isHeld = isHeld;
    this.#arrange();
  }

  /** Follows the store; returns the function that stops it. */
  follow(): () => void {
    const stopList = this.#store.snapshot.subscribe(() => this.#listed());
    const stopChanges = this.#store.changes.add((change) => {
      if (this.#concerns(change)) this.#soon();
    });
    this.#listed();
    return () => {
      stopList();
      stopChanges();
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  setFilter(change: Partial<Filter>): void {
    this.#ask({ filter: { ...this.state.get().filter, ...change } });
  }

  /** The host page asks for something else. */
  setWanted(wanted: Wanted): void {
    if (keepIfEqual(this.#wanted, wanted) === this.#wanted) return;
    this.#wanted = wanted;
    this.#chosen = {};
    this.#arrangeUnlessHeld();
  }

  /** The operator chooses how sessions are shown. */
  choose(chosen: { readonly view: ShownView } | { readonly order: Order }): void {
    this.#chosen = { ...this.#chosen, ...chosen };
    this.#ask();
    const { view, order } = this.state.get();
    this.#store.events.call({ name: 'wo-view-change', detail: { view, order } });
  }

  /** Shows a session that the operator has just added. */
  show(numero: string): void {
    this.#added = numero;
    this.#arrange();
  }

  #ask(change: Partial<ListState> = {}): void {
    this.#added = undefined;
    this.#arrange({ ...change, asked: this.state.get().asked + 1 });
  }

  /** How sessions are shown, with a bar or without. Without one, the operator could not take the order back. */
  #form(hasBar: boolean): Pick<ListState, 'hasBar' | 'view' | 'order'> {
    const { view: wanted, order } = this.#wanted;
    const auto = hasBar ? 'list' : 'cards';
    const view = this.#chosen.view ?? (wanted === 'auto' ? auto : wanted);
    const byView = view === 'list' ? 'attention' : 'server';
    return { hasBar, view, order: (hasBar ? this.#chosen.order : undefined) ?? order ?? byView };
  }

  #listed(): void {
    const { numeros: shown } = this.state.get();
    const { numeros } = this.#store.snapshot.get();
    if (haveSameOrder(shown, numeros)) return;
    const known = new Set(shown);
    const isSameSet = shown.length === numeros.length && numeros.every((numero) => known.has(numero));
    if (isSameSet) this.#soon();
    else if (this.#isHeld()) this.#keepPlaces(numeros);
    else this.#arrange();
  }

  /** Whether a change can move a card. */
  #concerns({ before, now }: Change): boolean {
    if (before?.details.group !== now?.details.group) return true;
    const { hasBar, filter } = this.state.get();
    const isFiltered = hasBar && isActive(filter);
    if (!isFiltered && !this.#isSorted()) return false;
    if (!before || !now || !areInSameBuckets(before.status, now.status)) return true;
    return filter.query !== '' && (before.details !== now.details || wordsOn(before) !== wordsOn(now));
  }

  /** Appends new sessions and moves no other: the operator's hand is among them. */
  #keepPlaces(numeros: readonly string[]): void {
    const { numeros: shown, found, filter } = this.state.get();
    const listed = new Set(numeros);
    const known = new Set(shown);
    const added = numeros.filter((numero) => !known.has(numero));
    const kept = shown.filter((numero) => listed.has(numero));
    this.#set({
      numeros: [...kept, ...added],
      found: found && new Set([...kept.filter((numero) => found.has(numero)), ...this.#find(added, filter)]),
    });
    this.#soon();
  }

  #soon(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        this.#arrangeUnlessHeld();
      },
      BATCH_MS + (this.#isSorted() ? MOVING_MS * this.state.get().numeros.length : 0),
    );
  }

  #arrangeUnlessHeld(): void {
    const isHeld = this.#isHeld();
    // Between two cards the pointer is on neither for a moment.
    const waits = isHeld || this.#wasHeld;
    this.#wasHeld = isHeld;
    if (waits) this.#soon();
    else this.#arrange();
  }

  #isSorted(): boolean {
    return this.state.get().order === 'attention';
  }

  #arrange(change: Partial<ListState> = {}): void {
    const { filter, asked } = { ...this.state.get(), ...change };
    const { numeros } = this.#store.snapshot.get();
    const form = this.#form(numeros.length >= MANY);
    const sorted = form.order === 'attention' ? this.#sort(numeros) : numeros;
    const sectionOfNumero = (numero: string) => sectionOf(this.#store.get(numero)?.details.group);
    const sections = form.view === 'list' ? arrange(sorted, sectionOfNumero) : undefined;
    this.#set({
      ...form,
      filter,
      asked,
      numeros: sections ? [...sections.keys()] : sorted,
      sections,
      found: form.hasBar && isActive(filter) ? new Set(this.#find(numeros, filter)) : undefined,
    });
  }

  #sort(numeros: readonly string[]): readonly string[] {
    const ranks: string[][] = [[], [], [], []];
    for (const numero of numeros) {
      const status = this.#store.get(numero)?.status;
      const rank = numero === this.#added || !status ? 0 : RANKS.indexOf(severityOf(status.asks)) + 1;
      ranks[rank]?.push(numero);
    }
    return ranks.flat();
  }

  #find(numeros: readonly string[], filter: Filter): readonly string[] {
    const matches = matcher(filter);
    return numeros.filter((numero) => {
      const record = this.#store.get(numero);
      return numero === this.#added || (record && matches(record));
    });
  }

  #set(change: Partial<ListState>): void {
    const before = this.state.get();
    const now = { ...before, ...change };
    const numeros = haveSameOrder(now.numeros, before.numeros) ? before.numeros : now.numeros;
    const inSameSections =
      numeros === before.numeros && haveSameOrder(valuesOf(now.sections), valuesOf(before.sections));
    const sections = inSameSections ? before.sections : now.sections;
    this.state.set(keepIfEqual(before, { ...now, numeros, sections }));
  }
}

/** The sessions that are not filtered out, in the order to show. */
export function visibleIn({ numeros, found }: ListState): readonly string[] {
  return found ? numeros.filter((numero) => found.has(numero)) : numeros;
}

/** What has to be looked after first, comes first. */
const RANKS: readonly Severity[] = ['attention', 'waiting', 'ok'];

function haveSameOrder(one: readonly string[], other: readonly string[]): boolean {
  return (
    one === other || (one.length === other.length && one.every((numero, index) => numero === other[index]))
  );
}

const valuesOf = (map: ListState['sections']): readonly string[] => [...(map?.values() ?? [])];
