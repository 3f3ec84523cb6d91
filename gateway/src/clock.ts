import { uptime } from 'node:os';

/** How often the clock is looked at, in milliseconds. */
const INTERVAL = 1_000;
/** Two readings differ by less, in milliseconds: some systems count whole seconds. */
const TOLERANCE = 5_000;
/** A virtual machine may be paused for less than a month, in milliseconds. */
const PAUSE = 30 * 24 * 60 * 60_000;
/** Until when after the start a machine without a clock of its own gets the time, in milliseconds. */
const BOOT = 60 * 60_000;

/** The clock was set: moments of this process, from `from` to `to`, were `by` milliseconds behind. */
export interface ClockStep {
  readonly from: number;
  readonly to: number;
  readonly by: number;
}

/** Returns a moment of this process as the clock tells it that is set now; any other as it is. */
export function redated(at: number, { from, to, by }: ClockStep): number {
  return at >= from && at <= to ? at + by : at;
}

/**
 * Notices when somebody, or NTP, sets the machine's clock, whose time is compared with that since the machine's start. That
 * one counts while the machine is suspended, unlike `performance.now()`.
 */
export class ClockWatch {
  readonly #wasSet: (step: ClockStep) => void;
  readonly #uptime: () => number;
  readonly #timer: NodeJS.Timeout;
  /** When this process and its machine started, by the clock as it is set now. */
  #start = Date.now();
  #boot: number;

  /** @param seconds returns the time since the machine's start */
  constructor(wasSet: (step: ClockStep) => void, seconds = uptime) {
    this.#wasSet = wasSet;
    this.#uptime = () => seconds() * 1_000;
    this.#boot = Date.now() - this.#uptime();
    this.#timer = setInterval(() => this.#look(), INTERVAL).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = Date.now();
    const by = Math.round(now - this.#uptime() - this.#boot);
    if (Math.abs(by) < TOLERANCE) return;
    this.#boot += by;
    const step = { from: this.#start, to: now - by, by };
    // A paused virtual machine loses time, too, but its moments were right.
    if (by > 0 && by < PAUSE && step.to - step.from > BOOT) return;
    this.#start += by;
    this.#wasSet(step);
  }
}
