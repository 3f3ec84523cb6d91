import type { Cipher } from './cipher.ts';
import type { Sql } from './database.ts';

/** This process as a member of the cluster, until it loses its lease. */
export interface Membership {
  readonly sql: Sql;
  /** The id of its row in `node`. */
  readonly id: string;
  /** Seals its notices and calls to other gateways. */
  readonly cipher: Cipher;
  /** Returns the sealed notice that the row of a session was added or removed. */
  rowNotice(numero: string): string;
}
