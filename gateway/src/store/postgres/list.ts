import { cipherOfFile } from '../key-file.ts';
import { describe, type ListedSession } from '../list.ts';
import { CREDENTIALS, USED } from '../session-store.ts';
import { checkKey } from './cluster-row.ts';
import { connectPostgres, type Sql } from './database.ts';
import { DatabaseError, databaseError } from './database-error.ts';

interface Row {
  readonly numero: string;
  readonly leaving: boolean;
  readonly creds: string | null;
  readonly used: string | null;
}

/**
 * Returns the sessions of a database, the oldest first. Rejects with a {@link DatabaseError}, or with a `FolderError`
 * for the key file.
 *
 * @param keyFile file of the key, if the database is encrypted
 */
export async function listDatabase(url: string, keyFile?: string): Promise<ListedSession[]> {
  const cipher = cipherOfFile(keyFile);
  const database = await connectPostgres(url, { max: 1, name: 'whatsapp-operadores command' });
  try {
    await checkCipher(database.sql, cipher.id);
    const rows = await database.sql<Row>`
      SELECT numero, leaving, creds.value AS creds, used.value AS used FROM session
      LEFT JOIN key AS creds ON creds.session = session.id AND creds.type = ${CREDENTIALS.type} AND creds.id = ${CREDENTIALS.id}
      LEFT JOIN key AS used ON used.session = session.id AND used.type = ${USED.type} AND used.id = ${USED.id}
      ORDER BY place`;
    return rows.map((row) =>
      describe(row, (key) => {
        const sealed = key === CREDENTIALS ? row.creds : row.used;
        return sealed === null ? undefined : cipher.open(sealed, [row.numero, key.type, key.id]);
      }),
    );
  } catch (error) {
    throw databaseError(url, error);
  } finally {
    await database.end();
  }
}

async function checkCipher(sql: Sql, given: string | null): Promise<void> {
  const [tables] = await sql<{ exist: boolean }>`SELECT to_regclass('cluster') IS NOT NULL AS exist`;
  if (!tables?.exist) {
    throw new DatabaseError('No gateway has used this database yet: start one with --database.');
  }
  const [row] = await sql<{ cipher: string | null }>`SELECT cipher FROM cluster`;
  if (row) checkKey(row.cipher, given);
}
