import { join } from 'node:path';
import { describe } from 'node:test';
import Database from 'libsql';
import type { Scope } from '../../../test/support/scope.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { cipherOf, PLAIN } from '../../src/ledger/cipher.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { freshDatabase } from '../cluster/support/postgres.ts';
import { built } from '../support/built.ts';
import { type StoreLab, storeTests } from './sessions.ts';
import { connectSessions, dumpOf, joinAlone, openShared } from './support/postgres-sessions.ts';
import { makeKey, openSessions } from './support/stores.ts';

describe('the SQLite store', () => {
  storeTests(async (t, isEncrypted): Promise<StoreLab> => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    const keyFile = isEncrypted ? makeKey(parent, 'ab') : undefined;
    let last: Ledger | undefined;
    const open = async () => {
      last = await openSessions(folder, { keyFile });
      return last;
    };
    t.after(() => last?.close());
    return {
      open,
      async reopen(store) {
        await store.close();
        return open();
      },
      async dump() {
        const db = new Database(join(folder, 'sessions.sqlite'));
        const tables = ['session', 'key', 'archive'];
        const rows = tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all());
        db.close();
        return JSON.stringify(rows);
      },
      script: `
        import { openLedger } from '${built('src/ledger/sqlite')}';
        const store = await openLedger(${JSON.stringify(folder)}, console.log);`,
    };
  });
});

describe('the PostgreSQL store', () => {
  storeTests(async (t: Scope, isEncrypted): Promise<StoreLab> => {
    const cipher = isEncrypted ? cipherOf(Buffer.alloc(32, 1)) : PLAIN;
    const url = await freshDatabase();
    const shared = await connectSessions(url, cipher);
    t.after(() => shared.end());
    const { sql } = shared;
    const open = async () => openShared(await joinAlone(shared), cipher);
    return {
      open,
      async reopen(store) {
        await store.close();
        return open();
      },
      dump: () => dumpOf(sql),
      script: `
        import * as sessions from '${built('test/ledger/support/postgres-sessions')}';
        const member = await sessions.joinAlone(await sessions.connectSessions(${JSON.stringify(url)}));
        const store = await sessions.openShared(member);`,
    };
  });
});
