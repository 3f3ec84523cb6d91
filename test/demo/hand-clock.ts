import type { Clock } from '../../gateway/src/engines/simulated/clock.ts';

interface Task {
  readonly due: number;
  readonly run: () => void;
}

/** A clock that the test moves, so that codes expire when it says so. */
export class HandClock implements Clock {
  #now = 0;
  readonly #begun = Date.now();
  readonly #tasks = new Set<Task>();

  after(ms: number, run: () => void): () => void {
    const task = { due: this.#now + ms, run };
    this.#tasks.add(task);
    return () => this.#tasks.delete(task);
  }

  at(ms: number): number {
    return this.#begun + this.#now + ms;
  }

  /** Advances by this many milliseconds, running everything that falls due, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#tasks.delete(next);
      this.#now = next.due;
      next.run();
    }
    this.#now = end;
  }

  #next(end: number): Task | undefined {
    return [...this.#tasks].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
  }
}
