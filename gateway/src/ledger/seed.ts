import { numeroKey } from '../sessions/numbers.ts';
import type { Database } from './database.ts';
import { CREDENTIALS } from './driver.ts';

/** A session to create in an empty database. */
export interface SeedRow {
  readonly numero: string;
  readonly state: string;
  /** The credentials of the linked phone; undefined while none is linked. */
  readonly credentials: string | undefined;
}

/** Creates sessions that nobody owns yet, in a database without sessions. Rejects with PostgreSQL's error. */
export async function seed(database: Database, rows: readonly SeedRow[]): Promise<void> {
  await database.begin(async (tx) => {
    const [some] = await tx`SELECT 1 FROM session LIMIT 1`;
    if (some) return;
    for (const { numero, state, credentials } of rows) {
      const id = numeroKey(numero);
      await tx`
        INSERT INTO session (id, numero, state, waiting) VALUES (${id}, ${numero}, ${state}, ${credentials !== undefined})
        ON CONFLICT (id) DO NOTHING`;
      if (credentials === undefined) continue;
      const { type, id: name } = CREDENTIALS;
      await tx`
        INSERT INTO key (session, type, id, value) VALUES (${id}, ${type}, ${name}, ${credentials})
        ON CONFLICT DO NOTHING`;
    }
  });
}
