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
