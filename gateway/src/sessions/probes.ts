/** Looks for sessions to probe this often, in milliseconds. */
const TICK = 1_000;

/** A session that can be asked for a sign of life. */
interface Probed {
  /** How long it has been silent, in milliseconds; 0 if it is not to be asked. */
  readonly silence: number;
  probe(): Promise<void>;
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
      const due = all.filter(({ silence }) => silence >= interval);
      due.sort((one, other) => other.silence - one.silence);
      for (const session of due.slice(0, most)) void session.probe();
    }, tick).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
