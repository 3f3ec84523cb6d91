import { batch, ObservableMap, onceAFrame } from '../observable.ts';
import type { Store } from '../store/store.ts';

/** How the card of a session is shown. What the operator has changed of it lasts until the session leaves the list. */
export interface Card {
  /** Whether the card has only its words, and nothing that can be operated. */
  readonly outline: boolean;
  /** The height of the whole card in pixels, which its outline keeps. */
  readonly height?: number;
  /** Of a row: whether it shows all that is on a card. */
  readonly opened: boolean;
  /** What is being edited in the form for names and proxy: where the focus began. */
  readonly editing?: 'label' | 'proxy' | undefined;
}

/** Milliseconds for which changes of outlines are collected: nobody sees them, and each frame with one lays out the page. */
const OUTLINES_MS = 100;

/** The cards of a panel. Changes of their sessions reach them once per frame, and outlines ten times per second. */
export class Cards extends ObservableMap<Card> {
  readonly #store: Store;

  constructor(store: Store) {
    super({ outline: true, opened: false });
    this.#store = store;
  }

  /** Follows the store, from what it has now; returns the function that stops it. */
  follow(): () => void {
    const { changes, get } = this.#store;
    const show = (numeros: ReadonlySet<string>) => {
      for (const numero of numeros)
        if (get(numero)) this.call(numero);
        else this.delete(numero);
    };
    const inFrame = batch(onceAFrame(), show);
    const later = batch((run) => setTimeout(run, OUTLINES_MS), show);
    this.callAll();
    return changes.add(({ numero }) => (this.get(numero).outline ? later : inFrame).add(numero));
  }

  override update(numero: string, change: Partial<Card>): void {
    if (this.#store.get(numero)) super.update(numero, change);
  }
}
