/** Which cards are shown and in which order: what the filter bar sets and the list follows. */
import { keepIfEqual } from '../keep-if-equal.ts';
import { Observable } from '../observable.ts';
import { areInSameGroups, type Counts, count, isIn } from '../session/counts.ts';
import type { Change } from '../session/session-map.ts';
import type { Status } from '../session/status.ts';
import type { Store } from '../store.ts';
import { type Filter, isActive, matcher, NO_FILTER } from './filter.ts';

/** From this many sessions on, finding one takes more than a look: there is a filter bar. */
const MANY = 9;
/** Milliseconds for which changes are collected: cards move four times a second at most. */
const BATCH_MS = 250;
/** Milliseconds more for each card that may move: moving thousands keeps a browser busy for a second. */
const MOVING_MS = 1;

export interface ListState {
  /** Whether the filter bar is shown: like the cards, it does not come or go under the operator's hand. */
  readonly hasFilterBar: boolean;
  readonly filter: Filter;
  /** Whether what needs attention comes first and what is well last, and not in the server's order. */
  readonly urgentFirst: boolean;
  /** All sessions in the order to show, filtered out or not. */
  readonly order: readonly string[];
  /** The sessions to show; undefined where nothing is filtered. */
  readonly found: ReadonlySet<string> | undefined;
  readonly counts: Counts;
}

/**
 * Follows the sessions, but moves no card under the operator's hand. What the operator asks for is done at once.
 */
export class ListView {
  readonly state: Observable<ListState>;
  readonly #store: Store;
  readonly #isHeld: () => boolean;
  /** A session that the operator has just added: shown whatever the filter, until that changes. */
  #added: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wasHeld = false;

  /** @param isHeld - tells whether the pointer or the focus is on a card */
  constructor(store: Store, isHeld: () => boolean) {
    this.#store = store;
    this.#isHeld = isHeld;
    const { numeros } = store.snapshot.get();
    this.state = new Observable<ListState>({
      hasFilterBar: isMany(numeros),
      filter: NO_FILTER,
      urgentFirst: false,
      order: numeros,
      found: undefined,
      counts: count(store.records),
    });
  }

  /** Follows the store; returns the function that stops it. */
  follow(): () => void {
    const stopList = this.#store.snapshot.subscribe(() => this.#listed());
    const stopChanges = this.#store.changes.add((change) => {
      if (this.state.get().hasFilterBar && this.#concerns(change)) this.#soon();
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
    this.#added = undefined;
    this.#arrange({ filter: { ...this.state.get().filter, ...change } });
  }

  setUrgentFirst(urgentFirst: boolean): void {
    this.#added = undefined;
    this.#arrange({ urgentFirst });
  }

  /** Shows a session that the operator has just added. */
  show(numero: string): void {
    this.#added = numero;
    this.#arrange();
  }

  #listed(): void {
    const { order, hasFilterBar } = this.state.get();
    const { numeros } = this.#store.snapshot.get();
    if (haveSameOrder(order, numeros)) return;
    const shown = new Set(order);
    const isSameSet = order.length === numeros.length && numeros.every((numero) => shown.has(numero));
    // Without a filter bar, a timer means that places are kept already.
    const canMove = hasFilterBar || isMany(numeros) || this.#timer !== undefined;
    if (isSameSet) this.#soon();
    else if (canMove && this.#isHeld()) this.#keepPlaces(numeros);
    else this.#arrange();
  }

  /** Whether a change can move a card, or a counter. */
  #concerns({ before, now }: Change): boolean {
    const hasOtherState = before?.session.state !== now?.session.state;
    if (hasOtherState && this.state.get().filter.query !== '') return true;
    return !before || !now || !areInSameGroups(before.status, now.status);
  }

  /** Appends new sessions and moves no other: the operator's hand is among them. */
  #keepPlaces(numeros: readonly string[]): void {
    const { order, found, filter } = this.state.get();
    const listed = new Set(numeros);
    const known = new Set(order);
    const added = numeros.filter((numero) => !known.has(numero));
    const kept = order.filter((numero) => listed.has(numero));
    this.#set({
      order: [...kept, ...added],
      found: found && new Set([...kept.filter((numero) => found.has(numero)), ...this.#find(added, filter)]),
    });
    this.#soon();
  }

  #soon(): void {
    const { urgentFirst, order } = this.state.get();
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        this.#arrangeUnlessHeld();
      },
      BATCH_MS + (urgentFirst ? MOVING_MS * order.length : 0),
    );
  }

  #arrangeUnlessHeld(): void {
    const isHeld = !this.#isInServersOrder() && this.#isHeld();
    // Between two cards the pointer is on neither for a moment.
    const waits = isHeld || this.#wasHeld;
    this.#wasHeld = isHeld;
    if (waits) {
      this.#set({});
      this.#soon();
    } else this.#arrange();
  }

  /** Whether nothing is filtered or sorted: then nothing can move. */
  #isInServersOrder(): boolean {
    const { hasFilterBar, filter, urgentFirst, order } = this.state.get();
    const { numeros } = this.#store.snapshot.get();
    const isPlain = !hasFilterBar || !(urgentFirst || isActive(filter));
    return isPlain && hasFilterBar === isMany(numeros) && haveSameOrder(order, numeros);
  }

  #arrange(change: Partial<ListState> = {}): void {
    const { filter, urgentFirst } = { ...this.state.get(), ...change };
    const { numeros } = this.#store.snapshot.get();
    const hasFilterBar = isMany(numeros);
    this.#set({
      hasFilterBar,
      filter,
      urgentFirst,
      order: hasFilterBar && urgentFirst ? this.#sort(numeros) : numeros,
      found: hasFilterBar && isActive(filter) ? new Set(this.#find(numeros, filter)) : undefined,
    });
  }

  #sort(numeros: readonly string[]): readonly string[] {
    const ranks: string[][] = [[], [], [], []];
    for (const numero of numeros) {
      const status = this.#store.get(numero)?.status;
      const rank = numero === this.#added || !status ? 0 : rankOf(status) + 1;
      ranks[rank]?.push(numero);
    }
    return ranks.flat();
  }

  #find(numeros: readonly string[], filter: Filter): readonly string[] {
    const matches = matcher(filter);
    return numeros.filter((numero) => {
      const record = this.#store.get(numero);
      return numero === this.#added || (record && matches(record.session, record.status));
    });
  }

  #set(change: Partial<ListState>): void {
    const before = this.state.get();
    const now = { ...before, ...change };
    const order = haveSameOrder(now.order, before.order) ? before.order : now.order;
    const counts = keepIfEqual(before.counts, count(this.#store.records));
    this.state.set(keepIfEqual(before, { ...now, order, counts }));
  }
}

/** The sessions that are not filtered out, in the order to show. */
export function visibleIn({ order, found }: ListState): readonly string[] {
  return found ? order.filter((numero) => found.has(numero)) : order;
}

/** The lower, the sooner it has to be looked after. */
function rankOf(status: Status): 0 | 1 | 2 {
  if (isIn('attention', status)) return 0;
  return isIn('waiting', status) ? 1 : 2;
}

function haveSameOrder(one: readonly string[], other: readonly string[]): boolean {
  return (
    one === other || (one.length === other.length && one.every((numero, index) => numero === other[index]))
  );
}

function isMany({ length }: readonly string[]): boolean {
  return length >= MANY;
}
