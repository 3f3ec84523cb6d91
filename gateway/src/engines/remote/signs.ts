import { isDeepStrictEqual } from 'node:util';
import type { WireQuota } from '../../../../src/wire.ts';
import { type Limit, SIGNAL_EVERY, type Sign } from '../../sessions/engine.ts';
import type { Account } from './server.ts';

/** What a session was reported to show beside its state. */
export class Signs {
  readonly #report: (sign: Sign) => void;
  #signalledAt = Number.NEGATIVE_INFINITY;
  #limit: Limit | undefined;
  #quota: WireQuota | undefined;

  constructor(report: (sign: Sign) => void) {
    this.#report = report;
  }

  /** WhatsApp has sent something. */
  signal(): void {
    const now = performance.now();
    if (now - this.#signalledAt < SIGNAL_EVERY) return;
    this.#signalledAt = now;
    this.#report({ type: 'signal' });
  }

  /**
   * Reports what WhatsApp allows a connected account, if that has changed.
   *
   * @param isNew whether the session has just connected: what it was allowed before is reported again
   */
  note({ limit = this.#limit, quota = this.#quota }: Account, isNew: boolean): void {
    if (isNews(limit, this.#limit, isNew)) {
      this.#limit = limit ?? undefined;
      this.#report({ type: 'limited', limit: this.#limit });
    }
    if (isNews(quota, this.#quota, isNew)) {
      this.#quota = quota ?? undefined;
      this.#report({ type: 'quota', quota: this.#quota });
    }
  }
}

function isNews(told: object | null | undefined, before: object | undefined, isNew: boolean): boolean {
  return (isNew && Boolean(told)) || !isDeepStrictEqual(told ?? undefined, before);
}
