/** Clocks, for what is due at a moment and for the times on the screen. */
import { Listeners } from '../observable.ts';

/** Calls its listeners again and again: one timer for all of them, and none while there are none. */
export class Clock {
  readonly #listeners = new Listeners();
  readonly #period: number;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param period - milliseconds between two calls */
  constructor(period: number) {
    this.#period = period;
  }

  /** Returns the function that removes the listener. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#timer ??= setInterval(() => this.#listeners.call(), this.#period);
    const remove = this.#listeners.add(listener);
    return () => {
      remove();
      if (!this.#listeners.empty) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  };
}

/**
 * For what counts in seconds. Timers for the moments alone would not do: they stop while a computer sleeps, and a code must
 * not look fresh when it wakes up.
 */
export const seconds = new Clock(500);

/** For what counts in minutes. */
export const minutes = new Clock(15_000);

/** Calls back when a moment has come: one moment for each numero. */
export class Deadlines {
  readonly #due: (numero: string) => void;
  readonly #moments = new Map<string, number>();
  /** Removes this from the clock. */
  #stop: (() => void) | undefined;
  /** The latest time since it is on the clock. */
  #latest = 0;
  #closed = false;

  constructor(due: (numero: string) => void) {
    this.#due = due;
  }

  /** Sets the moment of a numero, in milliseconds since 1970, or removes it. */
  set(numero: string, moment: number | undefined): void {
    if (moment === undefined) this.#moments.delete(numero);
    else this.#moments.set(numero, moment);
    if (this.#moments.size === 0) this.#leave();
    else if (!this.#closed) {
      // The time may be set ahead and back between two looks.
      this.#latest = Math.max(this.#latest, Date.now());
      this.#stop ??= seconds.subscribe(this.#look);
    }
  }

  /** Calls back no more. */
  close(): void {
    this.#closed = true;
    this.#leave();
  }

  #leave(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#latest = 0;
  }

  readonly #look = (): void => {
    const now = Date.now();
    // Time that was set back would postpone every moment.
    const setBack = now < this.#latest;
    this.#latest = now;
    for (const [numero, moment] of this.#moments) if (setBack || moment <= now) this.#due(numero);
  };
}
