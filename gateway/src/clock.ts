import { uptime } from 'node:os';

/** How often the clock is looked at, in milliseconds. */
const INTERVAL = 1_000;
/** Two readings differ by less, in milliseconds: some systems count whole seconds. */
const TOLERANCE = 5_000;

/**
 * Notices when somebody, or NTP, sets the machine's clock, whose time is compared with that since the machine's start. That
 * one counts while the machine is suspended, unlike `performance.now()`.
 */
export class ClockWatch {
  readonly #wasSet: (by: number) => void;
  readonly #uptime: () => number;
  readonly #timer: NodeJS.Timeout;
  /** When the machine started, by the clock as it is set now. */
  #boot: number;

  /**
   * @param wasSet called with the milliseconds by which it was set
   * @param seconds returns the time since the machine's start
   */
  constructor(wasSet: (by: number) => void, seconds = uptime) {
    this.#wasSet = wasSet;
    this.#uptime = () => seconds() * 1_000;
    this.#boot = Date.now() - this.#uptime();
    this.#timer = setInterval(() => this.#look(), INTERVAL).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const by = Math.round(Date.now() - this.#uptime() - this.#boot);
    if (Math.abs(by) < TOLERANCE) return;
    this.#boot += by;
    this.#wasSet(by);
  }
}
