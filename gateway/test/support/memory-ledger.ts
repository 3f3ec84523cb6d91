import Database from 'libsql';
import { PLAIN } from '../../src/ledger/cipher.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { Sqlite } from '../../src/ledger/sqlite.ts';
import { createTables } from '../../src/ledger/sqlite-store.ts';

/** A ledger in memory, whose methods tests override. */
export class MemoryLedger extends Ledger {
  constructor() {
    const db = new Database(':memory:');
    createTables(db, PLAIN);
    super(new Sqlite(db, () => db.close()), { cipher: PLAIN, print: () => {} });
  }
}
