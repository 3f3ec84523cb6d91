/** The time of the simulated phones. Tests replace it. */
export interface Clock {
  /** Runs `task` after `ms` milliseconds of this clock; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
  /** Returns when `ms` milliseconds of this clock will have passed, in the machine's milliseconds since 1970. */
  at(ms: number): number;
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
