/**
 * Milliseconds between two looks at the clock. Timers alone would not do: they stop while a computer sleeps, and a code
 * must not look fresh when it wakes up.
 */
const TICK_MS = 500;

/** Calls back when a moment has come: one moment for each numero. The timer runs only while there are any. */
export class Deadlines {
  readonly #due: (numero: string) => void;
  readonly #moments = new Map<string, number>();
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The latest time on the clock since the last look. */
  #latest = 0;
  #closed = false;

  constructor(due: (numero: string) => void) {
    this.#due = due;
  }

  /** Sets the moment of a numero, in milliseconds since 1970, or removes it. */
  set(numero: string, moment: number | undefined): void {
    if (moment === undefined) this.#moments.delete(numero);
    else this.#moments.set(numero, moment);
    if (this.#moments.size === 0) this.#stop();
    else if (!this.#closed) {
      // The clock may be set ahead and back between two looks.
      this.#latest = Math.max(this.#latest, Date.now());
      this.#timer ??= setInterval(() => this.#look(), TICK_MS);
    }
  }

  /** Stops the timer for good. */
  close(): void {
    this.#closed = true;
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#latest = 0;
  }

  #look(): void {
    const now = Date.now();
    // A clock that was set back would postpone every moment.
    const setBack = now < this.#latest;
    this.#latest = now;
    for (const [numero, moment] of this.#moments) if (setBack || moment <= now) this.#due(numero);
  }
}
