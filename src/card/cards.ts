import { type FrameScheduler, KeyedListeners } from '../observable.ts';
import type { SessionRecord } from '../session/record.ts';
import type { Store } from '../store/store.ts';

/** What a session's card shows. What the operator has changed of it lasts until the session leaves the list. */
export interface Card {
  /** Undefined where the session is not listed. */
  readonly record: SessionRecord | undefined;
  /** Whether the card has its inside: all that can be operated. Without it, the card is an outline. */
  readonly inside: boolean;
  /** Pixels that the card was high with its inside: the outline keeps them. */
  readonly height?: number;
  /** Of a row: whether it shows all that is on a card. */
  readonly opened: boolean;
  /** Whether name and group are being edited. */
  readonly editing: boolean;
}

/** Milliseconds for which changes of outlines are collected: nobody sees them, and each frame with one lays out the page. */
const OUTLINES_MS = 100;

const NO_CARD: Card = { record: undefined, inside: false, opened: false, editing: false };

/** The cards of a panel, each observed by itself. Changes of the server reach them once per frame, and outlines ten times per second. */
export class Cards {
  readonly #store: Store;
  readonly #scheduler: FrameScheduler;
  readonly #cards = new Map<string, Card>();
  readonly #listeners = new KeyedListeners();
  /** The numeros whose record has changed since it was shown. */
  readonly #changed = new Set<string>();
  readonly #changedOutlines = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: Store, scheduler: FrameScheduler) {
    this.#store = store;
    this.#scheduler = scheduler;
  }

  /** Follows the store; returns the function that stops it. */
  follow(): () => void {
    for (const numero of this.#cards.keys()) this.#show(numero);
    const stop = this.#store.changes.add(({ numero }) => {
      if (this.get(numero).inside) {
        this.#changed.add(numero);
        this.#scheduler.schedule(this.#showChanged);
      } else {
        this.#changedOutlines.add(numero);
        this.#timer ??= setTimeout(this.#showOutlines, OUTLINES_MS);
      }
    });
    return () => {
      stop();
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  /** The same object until something changes. */
  get(numero: string): Card {
    const known = this.#cards.get(numero);
    const record = known ? undefined : this.#store.get(numero);
    if (!record) return known ?? NO_CARD;
    const card = { ...NO_CARD, record };
    this.#cards.set(numero, card);
    return card;
  }

  /** Calls the listener when {@link get} returns another card; returns the function that stops it. */
  subscribe(numero: string, listener: () => void): () => void {
    return this.#listeners.add(numero, listener);
  }

  /** Changes the card of a listed session. */
  update(numero: string, change: Partial<Card>): void {
    const card = this.get(numero);
    if (!card.record) return;
    this.#cards.set(numero, { ...card, ...change });
    this.#listeners.call(numero);
  }

  readonly #showChanged = (): void => this.#showAll(this.#changed);

  readonly #showOutlines = (): void => {
    this.#timer = undefined;
    this.#showAll(this.#changedOutlines);
  };

  #showAll(changed: Set<string>): void {
    for (const numero of changed) this.#show(numero);
    changed.clear();
  }

  #show(numero: string): void {
    const record = this.#store.get(numero);
    if (record === this.get(numero).record) return;
    if (record) this.update(numero, { record });
    else {
      this.#cards.delete(numero);
      this.#listeners.call(numero);
    }
  }
}
