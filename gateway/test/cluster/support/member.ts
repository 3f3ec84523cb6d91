import { sealNotice } from '../../../src/cluster/notices.ts';
import { cipherOf } from '../../../src/ledger/cipher.ts';
import type { Sql } from '../../../src/ledger/database.ts';
import type { Membership } from '../../../src/ledger/session-rows.ts';

/** What gateways of tests seal their notices with, where the database does not say. */
export const CIPHER = cipherOf(Buffer.alloc(32, 1));

/** Returns the membership of a gateway of tests. */
export function memberOf(sql: Sql, id: string, cipher = CIPHER): Membership {
  return { sql, id, cipher, rowNotice: (numero) => sealNotice(cipher, { type: 'rows', numero }) };
}
