import { numeroKey } from '../numbers.ts';
import type { Cipher } from './cipher.ts';
import { writeRows } from './cluster-row.ts';
import type { Database } from './database.ts';
import { CREDENTIALS } from './row.ts';

/** A session to create in an empty database. */
export interface SeedRow {
  readonly numero: string;
  readonly state: string;
  /** The credentials of the linked phone; undefined while none is linked. */
  readonly credentials: string | undefined;
}

/** What all gateways on a database have in common. */
export interface SharedSessions {
  readonly name: string;
  readonly cipher: Cipher;
  readonly seeds: readonly SeedRow[];
}

/** Creates sessions that nobody owns yet, in a database without sessions. Rejects with PostgreSQL's error. */
export async function seed(database: Database, rows: readonly SeedRow[]): Promise<void> {
  await database.begin(async (tx) => {
    const [some] = await tx`SELECT 1 FROM session LIMIT 1`;
    if (some) return;
    for (const { numero, state, credentials } of rows) {
      const [created] = await tx`
        INSERT INTO session (id, numero, state, waiting)
        VALUES (${numeroKey(numero)}, ${numero}, ${state}, ${credentials !== undefined})
        ON CONFLICT (id) DO NOTHING RETURNING 1`;
      if (!created || credentials === undefined) continue;
      const key = [{ ...CREDENTIALS, value: credentials }];
      await writeRows(tx, { numero, leaving: false, key, archive: [] });
    }
  });
}
