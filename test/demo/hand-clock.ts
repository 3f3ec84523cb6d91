import type { Clock } from '../../demo/gateway/simulated/clock.ts';

interface Task {
  readonly due: number;
  readonly run: () => void;
}

/** Time that a test moves by hand, so that a code of a minute runs out when the test says so. */
export class HandClock implements Clock {
  #now = 0;
  readonly #tasks = new Set<Task>();

  after(ms: number, run: () => void): () => void {
    const task = { due: this.#now + ms, run };
    this.#tasks.add(task);
    return () => this.#tasks.delete(task);
  }

  /** Lets that many milliseconds go by, with all that falls due in them, in its order. */
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
