import type { Clock } from './clock.ts';
import type { PhoneFault } from './faults.ts';

/**
 * The next step of a phone: one at a time, when it is due, unless the phone's fault holds it. At most one timer runs.
 */
export class NextStep {
  readonly #clock: Clock;
  /** Called when a step is held. */
  readonly #onHeld: () => void;
  #fault: PhoneFault | null = null;
  /** A step that waits for its fault to be removed. */
  #held: { readonly by: PhoneFault; readonly step: () => void } | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock, onHeld: () => void) {
    this.#clock = clock;
    this.#onHeld = onHeld;
  }

  get fault(): PhoneFault | null {
    return this.#fault;
  }

  /** Whether the next step is held, instead of waiting for its time. */
  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /**
   * Schedules a step after `ms` milliseconds, at once for 0, in place of the previous one. It is held if the phone has
   * the fault `stoppedBy` when it is due.
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

  /** Holds a step, in place of the previous one; for `ms` milliseconds at most if given. */
  hold(by: PhoneFault, step: () => void, ms?: number): void {
    this.cancel();
    if (ms !== undefined) this.after(ms, step);
    this.#held = { by, step };
  }

  cancel(): void {
    this.#cancelTimer?.();
    this.#held = undefined;
  }

  /** Gives the phone a fault, or none, and takes the step that the previous fault held. */
  setFault(fault: PhoneFault | null): void {
    const held = this.#held;
    // A seed can be held without having the fault: then only removing all faults releases it.
    const isFreed = held && fault !== held.by && (fault === null || this.#fault === held.by);
    this.#fault = fault;
    if (!isFreed) return;
    this.cancel();
    held.step();
  }
}
