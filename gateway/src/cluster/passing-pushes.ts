import type { Logger } from 'pino';
import { reasonOf } from '../store/disk.ts';
import type { Membership } from '../store/postgres/postgres-store.ts';
import { CHANNEL, MOST_BYTES, type Notice, type PassingPush } from './notices.ts';

/** Most pushes that wait for a database that does not answer; then the oldest go. */
const MOST_WAITING = 5_000;

/**
 * Broadcasts to all gateways, in order and in batches, the pushes that no row stores. What cannot be sent is lost, as any
 * push may be.
 */
export class PassingPushes {
  readonly #membership: () => Membership | undefined;
  readonly #log: Logger;
  #waiting: PassingPush[] = [];
  #isTelling = false;

  /**
   * @param membership returns the right to write; undefined while there is none
   * @param log the operator log
   */
  constructor(membership: () => Membership | undefined, log: Logger) {
    this.#membership = membership;
    this.#log = log;
  }

  pass(push: PassingPush): void {
    this.#waiting.push(push);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
    if (!this.#isTelling) void this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    this.#isTelling = true;
    while (this.#waiting.length > 0) {
      const notice = encode(this.#next());
      try {
        const member = this.#membership();
        if (member) await member.sql`SELECT pg_notify(${CHANNEL}, ${notice})`;
      } catch (error) {
        this.#log.warn({ reason: reasonOf(error) }, 'Pushes could not be passed on.');
      }
    }
    this.#isTelling = false;
  }

  /** Takes as many of those that wait as one notification holds, and at least one. */
  #next(): PassingPush[] {
    let count = 1;
    let bytes = Buffer.byteLength(encode(this.#waiting.slice(0, 1)));
    for (const push of this.#waiting.slice(1)) {
      bytes += Buffer.byteLength(JSON.stringify(push)) + 1;
      if (bytes > MOST_BYTES) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }
}

function encode(pushes: PassingPush[]): string {
  const notice: Notice = { type: 'pushes', pushes };
  return JSON.stringify(notice);
}
