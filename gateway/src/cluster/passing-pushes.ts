import type { Logger } from 'pino';
import type { Membership } from '../ledger/membership.ts';
import { reasonOf } from '../ledger/operations.ts';
import { CHANNEL, MOST_BYTES, type PassingPush, sealNotice } from './notices.ts';

/** Most pushes that wait while the database does not answer; then the oldest are dropped. */
const MOST_WAITING = 5_000;

/** Most bytes of the pushes of one notification: the envelope and the sealing add a third. */
const MOST_PUSHES = MOST_BYTES / 2;

/**
 * Broadcasts to all gateways, in order and in batches, the pushes that no row stores. Pushes that cannot be sent are
 * lost, like any push.
 */
export class PassingPushes {
  readonly #membership: () => Membership | undefined;
  readonly #log: Logger;
  #waiting: PassingPush[] = [];
  #number = 0;
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
      const pushes = this.#next();
      try {
        const member = this.#membership();
        if (!member) continue;
        this.#number += 1;
        const { sql, id: node, cipher } = member;
        const notice = sealNotice(cipher, { type: 'pushes', node, number: this.#number, pushes });
        await sql`SELECT pg_notify(${CHANNEL}, ${notice})`;
      } catch (error) {
        this.#log.warn({ reason: reasonOf(error) }, 'Pushes could not be passed on.');
      }
    }
    this.#isTelling = false;
  }

  /** Takes as many waiting pushes as one notification holds, and at least one. */
  #next(): PassingPush[] {
    let count = 0;
    let bytes = 0;
    for (const push of this.#waiting) {
      bytes += Buffer.byteLength(JSON.stringify(push)) + 1;
      if (bytes > MOST_PUSHES && count > 0) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }
}
