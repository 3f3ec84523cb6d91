import { Fault } from '../diagnosis.ts';
import { DecryptionError } from './cipher.ts';
import { connectPostgres, type Database } from './database.ts';
import { reasonOf } from './operations.ts';

/** The database cannot be used; the message is one sentence for the operator. */
export class DatabaseError extends Fault {
  override readonly name = 'DatabaseError';
}

/**
 * Turns an error while connecting or at the start into a {@link DatabaseError}, which never contains the password;
 * returns any other as it is.
 */
export function databaseError(url: string, error: unknown): unknown {
  if (error instanceof DatabaseError || !(error instanceof Error)) return error;
  if (error instanceof DecryptionError) {
    return new DatabaseError('A value in the database is damaged, or was encrypted with another key file.');
  }
  const code = reasonOf(error);
  if (!('code' in error) && code !== 'URIError') return error;
  return new DatabaseError(sentenceOf(code, placeOf(url)));
}

/** One sentence for each kind of error, by the code of PostgreSQL, Node or OpenSSL. */
function sentenceOf(code: string, place: string): string {
  const database = `The database at ${place}`;
  if (/^(?:ERR_INVALID_URL|URIError)$/.test(code))
    return '--database is not the URL of a database: give it as postgres://user@host/database.';
  if (code === '3D000')
    return `There is no such database at ${place}: create it with createdb, or correct --database.`;
  if (/^28/.test(code))
    return `${database} does not let this user in (${code}): correct the user, the password or sslmode in --database.`;
  if (code === '42501')
    return `The user of the database at ${place} may not do what the gateway needs (${code}): make it the owner of the database.`;
  if (/^(?:25006|53100)$/.test(code))
    return `${database} takes no writes (${code}): name the primary server with --database, or free space on its disk.`;
  if (code === 'NOT_UTF8')
    return (
      `${database} cannot store every character: create one with createdb --encoding=UTF8 --locale=C --template=template0, and ` +
      'name it with --database.'
    );
  if (/^(?:POOLED|08P01)$/.test(code))
    return `A pooler at ${place} keeps from the gateway what it needs (${code}): name PostgreSQL itself with --database.`;
  if (/CERT|SIGNATURE|ISSUER|^ERR_(?:SSL|OSSL)|^(?:NO_TLS|EPROTO|ENOENT|EACCES|EISDIR)$/.test(code))
    return `TLS with the database at ${place} fails (${code}): correct the host, sslmode, sslrootcert, sslcert or sslkey in --database.`;
  // Of a statement; class 08 are lost connections, 57 ends of the server.
  if (/^(?!08|57)(?=.*\d)[0-9A-Z]{5}$/.test(code))
    return `${database} refuses what the gateway needs (${code}): its log says why.`;
  return `${database} cannot be used (${code}): see that it runs and can be reached from here.`;
}

/** Runs a command on a database, with one connection. Rejects with a {@link DatabaseError}. */
export async function withDatabase<T>(url: string, task: (database: Database) => Promise<T>): Promise<T> {
  const database = await connectPostgres(url, { max: 1, name: 'whatsapp-operadores command' });
  try {
    return await task(database);
  } catch (error) {
    throw databaseError(url, error);
  } finally {
    await database.end();
  }
}

/** Returns the hosts and the name of the database, but only where nothing in them can be part of a password. */
function placeOf(url: string): string {
  const parts = /^postgres(?:ql)?:\/\/(?:[^/@?#]*@)?(?<place>[^/@?#]+(?:\/[^/@?#]*)?)(?:\?[^@]*)?$/.exec(url);
  return parts?.groups?.place ?? 'the URL of --database';
}
