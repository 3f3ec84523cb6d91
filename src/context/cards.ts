import { type FrameScheduler, ObservableMap } from '../observable.ts';
import type { SessionRecord } from '../session/record.ts';
import type { Store } from '../store/store.ts';

/** What the card of a session shows. What the operator has changed of it lasts until the session leaves the list. */
export interface Card {
  /** Undefined where the session is not listed. */
  readonly record: SessionRecord | undefined;
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

const NO_CARD: Card = { record: undefined, outline: true, opened: false };

/** The cards of a panel. Changes of the server reach them once per frame, and outlines ten times per second. */
export class Cards extends ObservableMap<Card> {
  readonly #store: Store;
  readonly #showInFrame: (numero: string) => void;
  readonly #showLater = this.#collect((show) => setTimeout(show, OUTLINES_MS));

  constructor(store: Store, scheduler: FrameScheduler) {
    super(NO_CARD);
    this.#store = store;
    this.#showInFrame = this.#collect((show) => scheduler.schedule(show));
  }

  follow(): () => void {
    for (const numero of this.values.keys()) this.#show(numero);
    return this.#store.changes.add(({ numero }) => {
      if (this.get(numero).outline) this.#showLater(numero);
      else this.#showInFrame(numero);
    });
  }

  /** Returns the same object until something changes. */
  override get(numero: string): Card {
    const record = this.values.has(numero) ? undefined : this.#store.get(numero);
    if (record) this.values.set(numero, { ...NO_CARD, record });
    return super.get(numero);
  }

  override update(numero: string, change: Partial<Card>): void {
    if (this.get(numero).record) super.update(numero, change);
  }

  /** Returns a function that collects the sessions to show until the scheduled one shows them. */
  #collect(schedule: (show: () => void) => void): (numero: string) => void {
    const changed = new Set<string>();
    const show = () => {
      for (const numero of changed) this.#show(numero);
      changed.clear();
    };
    return (numero) => {
      if (changed.size === 0) schedule(show);
      changed.add(numero);
    };
  }

  #show(numero: string): void {
    const record = this.#store.get(numero);
    if (record) this.update(numero, { record });
    else this.delete(numero);
  }
}
