/** Time as the simulated phones live it. Tests put their own in its place. */
export interface Clock {
  /** Runs `task` once after `ms` milliseconds of this clock, unless the returned function is called before. */
  after(ms: number, task: () => void): () => void;
}

/** The machine's clock, run `speed` times faster. */
export function realClock(speed: number): Clock {
  return {
    after(ms, task) {
      // What keeps the process alive is the server that listens, never a phone that waits.
      const timer = setTimeout(task, ms / speed).unref();
      return () => clearTimeout(timer);
    },
  };
}
