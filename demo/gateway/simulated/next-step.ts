import type { Clock } from './clock.ts';
import type { Trouble } from './troubles.ts';

/** A step that waits until its trouble is gone. */
interface Held {
  readonly by: Trouble;
  readonly step: () => void;
}

/**
 * What a phone does next: one step at a time, when its time has come, unless the phone's trouble holds it up. At
 * most one timer runs.
 */
export class NextStep {
  readonly #clock: Clock;
  /** Called when a step was held up. */
  readonly #onHeld: () => void;
  #trouble: Trouble | null = null;
  #held: Held | undefined;
  #cancelTimer = () => {};

  constructor(clock: Clock, onHeld: () => void) {
    this.#clock = clock;
    this.#onHeld = onHeld;
  }

  get trouble(): Trouble | null {
    return this.#trouble;
  }

  /** Whether the next step waits for somebody, and not for its time. */
  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /**
   * Takes a step after `ms` milliseconds, in place of the one that was next; at once where no time is left. If the
   * phone has the trouble `stoppedBy` then, it is held up.
   */
  after(ms: number, step: () => void, stoppedBy?: Trouble): void {
    this.cancel();
    const due = () => {
      if (stoppedBy === undefined || stoppedBy !== this.#trouble) return step();
      this.#held = { by: stoppedBy, step };
      this.#onHeld();
    };
    if (ms > 0) this.#cancelTimer = this.#clock.after(ms, due);
    else due();
  }

  /** Holds a step up, in place of the one that was next; for `ms` milliseconds at most where they are given. */
  hold(by: Trouble, step: () => void, ms?: number): void {
    this.cancel();
    if (ms !== undefined) this.after(ms, step);
    this.#held = { by, step };
  }

  cancel(): void {
    this.#cancelTimer();
    this.#held = undefined;
  }

  /** Gives the phone a trouble, or none; a step that the one before held up is taken then. */
  setTrouble(trouble: Trouble | null): void {
    const held = this.#held;
    // A seed can be held up without having the trouble: then only none at all sets it free.
    const isFreed = held && trouble !== held.by && (trouble === null || this.#trouble === held.by);
    this.#trouble = trouble;
    if (!isFreed) return;
    this.cancel();
    held.step();
  }
}
