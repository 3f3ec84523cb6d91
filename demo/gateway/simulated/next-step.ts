import type { Clock } from './clock.ts';
import type { PhoneFault } from './faults.ts';

/** A step that waits until its fault is gone. */
interface Held {
  readonly by: PhoneFault;
  readonly step: () => void;
}

/**
 * What a phone does next: one step at a time, when its time has come, unless the phone's fault holds it up. At
 * most one timer runs.
 */
export class NextStep {
  readonly #clock: Clock;
  /** Called when a step was held up. */
  readonly #onHeld: () => void;
  #fault: PhoneFault | null = null;
  #held: Held | undefined;
  #cancelTimer = () => {};

  constructor(clock: Clock, onHeld: () => void) {
    this.#clock = clock;
    this.#onHeld = onHeld;
  }

  get fault(): PhoneFault | null {
    return this.#fault;
  }

  /** Whether the next step waits for somebody, and not for its time. */
  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /**
   * Takes a step after `ms` milliseconds, in place of the one that was next; at once where no time is left. If the
   * phone has the fault `stoppedBy` then, it is held up.
   */
  after(ms: number, step: () => void, stoppedBy?: PhoneFault): void {
    this.cancel();
    const due = () => {
      if (stoppedBy === undefined || stoppedBy !== this.#fault) return step();
      this.#held = { by: stoppedBy, step };
      this.#onHeld();
    };
    if (ms > 0) this.#cancelTimer = this.#clock.after(ms, due);
    else due();
  }

  /** Holds a step up, in place of the one that was next; for `ms` milliseconds at most where they are given. */
  hold(by: PhoneFault, step: () => void, ms?: number): void {
    this.cancel();
    if (ms !== undefined) this.after(ms, step);
    this.#held = { by, step };
  }

  cancel(): void {
    this.#cancelTimer();
    this.#held = undefined;
  }

  /** Gives the phone a fault, or none; a step that the one before held up is taken then. */
  setFault(fault: PhoneFault | null): void {
    const held = this.#held;
    // A seed can be held up without having the fault: then only none at all sets it free.
    const isFreed = held && fault !== held.by && (fault === null || this.#fault === held.by);
    this.#fault = fault;
    if (!isFreed) return;
    this.cancel();
    held.step();
  }
}
