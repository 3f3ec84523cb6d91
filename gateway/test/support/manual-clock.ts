import type { Clock } from '../../src/engines/simulated/clock.ts';

interface Timer {
  at: number;
  task: () => void;
}

/** A clock that moves only when it is told to. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #begun = Date.now();
  #timers = new Set<Timer>();

  get pending(): number {
    return this.#timers.size;
  }

  after(ms: number, task: () => void): () => void {
    const timer = { at: this.#now + ms, task };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  at(ms: number): number {
    return this.#begun + this.#now + ms;
  }

  /** Runs, in order, the tasks that are due within the next `ms` milliseconds. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      let next: Timer | undefined;
      for (const timer of this.#timers) if (!next || timer.at < next.at) next = timer;
      if (!next || next.at > end) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.task();
    }
    this.#now = end;
  }
}
