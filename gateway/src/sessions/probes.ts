import type { Health } from './health.ts';

/** Looks for sessions to probe this often, in milliseconds. */
const TICK = 1_000;

interface Probed {
  readonly health: Pick<Health, 'silence' | 'probe'>;
}

/**
 * Probes sessions of which nothing was heard for an interval. No more are probed at once than in any other second, so
 * that sessions that connect together are not probed together.
 */
export class Probes {
  readonly #timer: NodeJS.Timeout;

  /** @param interval in milliseconds */
  constructor(sessions: () => readonly Probed[], interval: number) {
    const tick = Math.min(TICK, interval);
    this.#timer = setInterval(() => {
      const all = sessions();
      const most = Math.ceil((all.length * tick) / interval);
      const due = all.flatMap(({ health }) => (health.silence >= interval ? health : []));
      due.sort((one, other) => other.silence - one.silence);
      for (const health of due.slice(0, most)) void health.probe();
    }, tick).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
