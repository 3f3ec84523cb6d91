import type { Row, TakenSession } from './row.ts';

/** One promise for all claims that have had no statement: there are thousands. */
const FREE = Promise.resolve();

/** A session that this process owns. */
export class Claim {
  readonly numero: string;
  readonly epoch: string;
  leaving: boolean;
  /** The sealed rows of the credentials, the last use, the names, the link and the proxy, by type, as far as they were read. */
  readonly kept = new Map<string, Row | undefined>();
  /** Whether its keys are void, but could not be erased yet. */
  isVoid = false;
  /** Whether only the fact that it was deleted is kept. */
  isUnlisted = false;
  /**
   * Entries of its history until old ones are removed. The first entries of a process may follow many of another: they
   * are pruned at once.
   */
  left = 0;
  /** Settles when its last statement has. */
  free: Promise<unknown> = FREE;

  constructor({ numero, epoch, leaving }: TakenSession) {
    this.numero = numero;
    this.epoch = epoch;
    this.leaving = leaving;
  }
}
