import type { Cipher } from '../cipher.ts';
import type { Sql } from './database.ts';

/** What this process is in the cluster, until it loses its lease. */
export interface Membership {
  readonly sql: Sql;
  /** Of its row in `node`. */
  readonly id: string;
  /** Seals what it tells the other gateways. */
  readonly cipher: Cipher;
}
