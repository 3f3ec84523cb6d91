import { join } from 'node:path';
import { built } from '../../support/built.ts';

const OPEN = built('src/ledger/sqlite');

/** A script that opens the store as a gateway does, and prints something. */
export const gateway = (folder: string) => `
  import { openLedger } from '${OPEN}';
  try {
    globalThis.store = await openLedger(${JSON.stringify(folder)}, console.log);
    console.log('open');
  } catch (error) {
    console.log(error.message);
  }`;

/** As gateways opened it before versions were numbered. */
export const oldGateway = (folder: string) => `
  import Database from 'libsql';
  try {
    globalThis.db = new Database(${JSON.stringify(join(folder, 'sessions.sqlite'))});
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    db.prepare('SELECT * FROM session').all();
    console.log('open');
  } catch (error) {
    console.log(error.code);
  }`;
