/** The time of the simulated phones. Tests replace it. */
export interface Clock {
  /** Runs `task` after `ms` milliseconds of this clock; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
  /** Returns when `ms` milliseconds of this clock will have passed, in the machine's milliseconds since 1970. */
  at(ms: number): number;
}

/** A time that WhatsApp sets, such as that of a ban. */
export interface Term {
  /** In milliseconds since 1970. */
  readonly until: number;
  readonly cancel: () => void;
}

/** Begins a time of `ms` milliseconds; `over` runs at its end, unless it is cancelled. */
export function beginTerm(clock: Clock, ms: number, over: () => void): Term {
  return { until: clock.at(ms), cancel: clock.after(ms, over) };
}

/** The machine's clock, `speed` times faster. */
export function realClock(speed: number): Clock {
  return {
    after(ms, task) {
      // The listening server keeps the process alive; a waiting phone must not.
      const timer = setTimeout(task, ms / speed).unref();
      return () => clearTimeout(timer);
    },
    at: (ms) => Math.round(Date.now() + ms / speed),
  };
}
