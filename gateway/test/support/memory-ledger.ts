import { PLAIN } from '../../src/ledger/cipher.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { Memory } from '../../src/ledger/memory.ts';

/** A ledger in memory, whose methods tests override. */
export class MemoryLedger extends Ledger {
  constructor() {
    super(new Memory(), { cipher: PLAIN, print: () => {} });
  }
}
