import { Listeners } from '../observable.ts';

/** Milliseconds between two calls: what counts in minutes is told a quarter of one late at most. */
const TICK_MS = 15_000;

/** Calls its listeners as time passes: one timer for all of them, and none while there are none. */
export class Clock {
  readonly #listeners = new Listeners();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Returns the function that removes the listener. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#timer ??= setInterval(() => this.#listeners.call(), TICK_MS);
    const remove = this.#listeners.add(listener);
    return () => {
      remove();
      if (!this.#listeners.empty) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  };
}
