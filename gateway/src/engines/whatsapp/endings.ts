import type { EngineEvent } from '../../sessions/engine.ts';
import type { Close } from './close.ts';
import type { Connectivity } from './failures.ts';
import { BackOff, disconnectReason, type Phase } from './reconnection.ts';
import type { Timings } from './timings.ts';

/** Longest wait for the end of a ban, in milliseconds: WhatsApp may lift it earlier, and timers have a limit. */
const DAY = 24 * 60 * 60_000;

/** What a session does after the end of a connection. */
export type Aftermath =
  /** Connects again at once, without a report. */
  | { readonly next: 'connect' }
  /** Reports the event, and connects again after `wait` milliseconds. */
  | { readonly next: 'retry'; readonly event: EngineEvent; readonly wait: number }
  /** Ends with a last report; `erases` if its credentials are void. */
  | { readonly next: 'end'; readonly event: EngineEvent; readonly erases?: true };

/** Decides, for one start of a session, what follows the ends of its connections. */
export class Endings {
  readonly #timings: Timings;
  readonly #connectivity: Connectivity;
  readonly #backOff: BackOff;

  constructor(timings: Timings, connectivity: Connectivity) {
    this.#timings = timings;
    this.#connectivity = connectivity;
    this.#backOff = new BackOff(timings.steady);
  }

  /** Notes that the session has logged in. */
  opened(): void {
    this.#backOff.opened();
  }

  after(phase: Phase, close: Close): Aftermath {
    const reason = disconnectReason(phase, close);
    switch (reason) {
      case 'restart-required':
        return { next: 'connect' };
      case 'qr-timeout':
        return { next: 'end', event: { type: 'qr_timeout' } };
      case 'refused':
        return { next: 'end', event: { type: 'disconnected' } };
      case 'logged-out':
        return { next: 'end', event: { type: 'disconnected', reason }, erases: true };
      case 'restricted':
        return { next: 'end', event: { type: 'stopped', reason }, erases: true };
      case 'replaced':
        return { next: 'end', event: { type: 'stopped', reason } };
      case 'outdated':
        return { next: 'retry', event: { type: 'delayed', reason }, wait: this.#patiently() };
      case 'banned': {
        // At the end of the ban the next attempt may come a little early.
        const wait = close.ban ? close.ban + this.#soon() : this.#patiently();
        const until = Date.now() + (close.ban ?? wait);
        return { next: 'retry', event: { type: 'delayed', reason, until }, wait: Math.min(wait, DAY) };
      }
      case 'unreachable':
        this.#connectivity.failed();
        return { next: 'retry', event: { type: 'delayed', reason }, wait: this.#soon() };
      case 'connection-lost':
        return { next: 'retry', event: { type: 'state', state: 'OPENING' }, wait: this.#soon() };
    }
  }

  #soon(): number {
    return this.#backOff.next(this.#timings.retryFirst, this.#timings.retryMost);
  }

  #patiently(): number {
    return this.#backOff.next(this.#timings.patientFirst, this.#timings.patientMost);
  }
}
