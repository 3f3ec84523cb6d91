import type { Logger } from 'pino';
import { readAccess, replaceAccess } from '../ledger/cluster-row.ts';
import { reasonOf } from '../ledger/operations.ts';
import { notify } from '../ledger/session-rows.ts';
import type { FileContent } from '../ledger/small-file.ts';
import type { Member } from './member.ts';
import { sealNotice } from './notices.ts';

/**
 * The access file of all gateways on one database: the newest that one of them has read. A gateway without such a file
 * has no part in it.
 */
export class AccessExchange {
  readonly #member: Pick<Member, 'sql' | 'cipher'>;
  readonly #log: Logger;
  #take: ((access: FileContent) => void) | undefined;
  #own: FileContent | undefined;
  #syncing: Promise<void> | undefined;
  /** Whether there is something to exchange that the exchange under way may miss. */
  #isDue = false;
  #isFailing = false;

  constructor(member: Pick<Member, 'sql' | 'cipher'>, log: Logger) {
    this.#member = member;
    this.#log = log;
  }

  /** Offers this gateway's file. @param take receives what counts for all, more than once */
  offer(own: FileContent, take: (access: FileContent) => void): void {
    this.#own = own;
    this.#take = take;
    void this.sync();
  }

  /** Exchanges files with the database, where the file of another gateway may be newer; failures are logged. */
  sync(): Promise<void> {
    this.#isDue = true;
    this.#syncing ??= this.#exchangeDue();
    return this.#syncing;
  }

  async #exchangeDue(): Promise<void> {
    // Both files may change during an exchange.
    while (this.#isDue) {
      this.#isDue = false;
      await this.#exchange();
    }
    this.#syncing = undefined;
  }

  async #exchange(): Promise<void> {
    const { sql, cipher } = this.#member;
    const own = this.#own;
    if (!sql || !own) return;
    try {
      if (await replaceAccess(sql, own)) await notify(sql, sealNotice(cipher, { type: 'access' }));
      const shared = await readAccess(sql);
      this.#isFailing = false;
      if (shared) this.#take?.(shared);
    } catch (error) {
      // Asked again at the next beat.
      if (!this.#isFailing) {
        this.#log.warn(
          { reason: reasonOf(error) },
          'The access file could not be exchanged with other gateways.',
        );
      }
      this.#isFailing = true;
    }
  }
}
