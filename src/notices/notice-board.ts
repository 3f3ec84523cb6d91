import { Listeners } from '../observable.ts';

/** Something to tell the operator once. */
export interface Notice {
  /** Never used again, on this board. */
  readonly id: number;
  readonly kind: 'positive' | 'negative';
  readonly text: string;
  /** What it is about, where only the last word on that is worth a place. */
  readonly topic: string | undefined;
}

/** How many wait to be closed at most: nobody reads more, and they cost time. */
const MOST = 50;

/** The notices of one panel, from the moment something happens until they have been shown. */
export class NoticeBoard {
  readonly #listeners = new Listeners();
  #notices: readonly Notice[] = [];
  #lastId = 0;

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  readonly getSnapshot = (): readonly Notice[] => this.#notices;

  /**
   * Puts up a notice.
   * @param topic - a name for what is told once however often it happens: a later notice on it replaces this one.
   */
  add(kind: Notice['kind'], text: string, topic?: string): void {
    this.#lastId += 1;
    const others = this.#notices.filter((notice) => topic === undefined || notice.topic !== topic);
    this.#set([...others.slice(1 - MOST), { id: this.#lastId, kind, text, topic }]);
  }

  /** Takes down a notice that has been shown. */
  readonly dismiss = (id: number): void => {
    const others = this.#notices.filter((notice) => notice.id !== id);
    if (others.length < this.#notices.length) this.#set(others);
  };

  #set(notices: readonly Notice[]): void {
    this.#notices = notices;
    this.#listeners.call();
  }
}
