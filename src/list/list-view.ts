import { unlessNew } from '../keep-if-equal.ts';
import { Listeners } from '../observable.ts';
import type { Counts } from '../session/counts.ts';
import type { Store } from '../store.ts';
import { type Choice, EVERYTHING, FINDING_FROM, isFilter, matcher, rank } from './filter.ts';

/** Milliseconds in which pushes are gathered: however many come, the cards are arranged four times a second at most. */
const GATHERING_MS = 250;
/** And so many more for each card that takes another place: to move thousands keeps a browser busy for a second. */
const MOVING_MS = 1;

/** How the cards are to be shown. The same object, and the same order, until they are another. */
export interface Arrangement {
  readonly choice: Choice;
  /** Whether there are so many that finding one takes more than a look. */
  readonly finding: boolean;
  /** All sessions, found or not, in the order to show. */
  readonly order: readonly string[];
  /** Those to show; undefined where nothing is filtered. */
  readonly found: ReadonlySet<string> | undefined;
  readonly counts: Counts;
}

/**
 * Arranges the cards as the operator chose, anew when sessions change, but never under the operator's hand. What
 * the operator asks for is done at once.
 */
export class Arranger {
  readonly #store: Store;
  readonly #held: () => boolean;
  readonly #listeners = new Listeners();
  #arrangement: Arrangement;
  /** Just added by the operator: shown whatever the choice, until there is another. */
  #added: string | undefined;
  #numeros: readonly string[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wasHeld = false;
  #stops: readonly (() => void)[] = [];

  /** @param held tells whether the operator's hand is on a card: the pointer, or the focus. */
  constructor(store: Store, held: () => boolean) {
    this.#store = store;
    this.#held = held;
    this.#numeros = store.getSnapshot().numeros;
    const counts = store.tally.counts();
    this.#arrangement = {
      choice: EVERYTHING,
      finding: isMany(this.#numeros),
      order: this.#numeros,
      found: undefined,
      counts,
    };
  }

  readonly getSnapshot = (): Arrangement => this.#arrangement;

  /** It follows the store for as long as anybody listens. */
  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.empty) this.#follow();
    const stop = this.#listeners.add(listener);
    return () => {
      stop();
      if (this.#listeners.empty) this.#rest();
    };
  };

  choose(choice: Partial<Choice>): void {
    this.#added = undefined;
    this.#arrange({ ...this.#arrangement.choice, ...choice });
  }

  /** Shows a session that the operator has just added. */
  show(numero: string): void {
    this.#added = numero;
    this.#arrange();
  }

  #follow(): void {
    this.#stops = [
      this.#store.subscribe(() => this.#listed()),
      this.#store.tally.subscribe(() => this.#soon()),
      this.#store.events.add(({ name }) => {
        if (name === 'wo-session-change' && this.#arrangement.choice.query) this.#soon();
      }),
    ];
    this.#listed();
  }

  #rest(): void {
    for (const stop of this.#stops) stop();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #listed(): void {
    const { numeros } = this.#store.getSnapshot();
    if (numeros === this.#numeros) return;
    const { finding, order } = this.#arrangement;
    const arranged = finding || isMany(numeros) || !same(order, this.#numeros);
    this.#numeros = numeros;
    if (arranged && this.#held()) this.#keepPlaces();
    else this.#arrange();
  }

  /** Shows those that have come after those that stay, which do not move: the hand is among them. */
  #keepPlaces(): void {
    const { order, found } = this.#arrangement;
    const listed = new Set(this.#numeros);
    const known = new Set(order);
    const come = this.#numeros.filter((numero) => !known.has(numero));
    const stay = order.filter((numero) => listed.has(numero));
    this.#set({
      order: [...stay, ...come],
      found: found && new Set([...stay.filter((numero) => found.has(numero)), ...this.#find(come)]),
    });
    this.#soon();
  }

  #soon(): void {
    const moving = this.#arrangement.choice.urgentFirst ? MOVING_MS * this.#numeros.length : 0;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#isPlain()) this.#set({});
      else this.#arrangeUnlessHeld();
    }, GATHERING_MS + moving);
  }

  #arrangeUnlessHeld(): void {
    const held = this.#held();
    // On its way from one card to the next, the hand is seen between them for a moment.
    const wait = held || this.#wasHeld;
    this.#wasHeld = held;
    if (wait) {
      this.#set({});
      this.#soon();
    } else this.#arrange();
  }

  /** Whether the cards are as the server lists them: then only the numbers are of interest. */
  #isPlain(): boolean {
    const { choice, finding, order } = this.#arrangement;
    const arranged = finding && (choice.urgentFirst || isFilter(choice));
    return !arranged && finding === isMany(this.#numeros) && same(order, this.#numeros);
  }

  #arrange(choice = this.#arrangement.choice): void {
    const finding = isMany(this.#numeros);
    this.#set({
      choice,
      finding,
      order: finding && choice.urgentFirst ? this.#byAttention() : this.#numeros,
      found: finding && isFilter(choice) ? new Set(this.#find(this.#numeros, choice)) : undefined,
    });
  }

  #byAttention(): readonly string[] {
    const places: string[][] = [[], [], [], []];
    for (const numero of this.#numeros) {
      const situation = this.#store.situation(numero);
      const place = numero === this.#added || !situation ? 0 : rank(situation) + 1;
      places[place]?.push(numero);
    }
    return places.flat();
  }

  #find(numeros: readonly string[], choice = this.#arrangement.choice): readonly string[] {
    const matches = matcher(choice);
    return numeros.filter((numero) => {
      const session = this.#store.session(numero);
      const situation = this.#store.situation(numero);
      return numero === this.#added || (session && situation && matches(session, situation));
    });
  }

  #set(change: Partial<Arrangement>): void {
    const before = this.#arrangement;
    const now = { ...before, ...change, counts: this.#store.tally.counts() };
    const order = same(now.order, before.order) ? before.order : now.order;
    this.#arrangement = unlessNew(before, { ...now, order });
    if (this.#arrangement !== before) this.#listeners.call();
  }
}

function isMany(numeros: readonly string[]): boolean {
  return numeros.length >= FINDING_FROM;
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return (
    one === other || (one.length === other.length && one.every((numero, index) => numero === other[index]))
  );
}
