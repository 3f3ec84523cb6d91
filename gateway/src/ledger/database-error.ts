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

function sentenceOf(code: string, place: string): string {
  const database = `The database at ${place}`;
  const name = `The name of the database's server in ${place} cannot be resolved (${code}): correct --database.`;
  const file = `A file that --database names for TLS cannot be read (${code}): correct sslrootcert, sslcert or sslkey.`;
  const url = '--database is not the URL of a database: give it as postgres://user@host/database.';
  const sentences: Readonly<Record<string, string>> = {
    '28P01': `${database} does not take the user or the password (${code}): correct --database.`,
    '28000':
      `${database} does not let this user in (${code}): correct --database, or allow the user in pg_hba.conf. ` +
      'It may require TLS: append ?sslmode=verify-full.',
    NO_TLS: `${database} does not offer TLS: turn it on there, or correct sslmode in --database.`,
    ENOENT: file,
    EACCES: file,
    EISDIR: file,
    '3D000': `There is no such database at ${place}: create it with createdb, or correct --database.`,
    '42501':
      `The user of the database at ${place} may not do what the gateway needs (${code}): make it the owner of the ` +
      'database.',
    '25006': `${database} takes no writes (${code}): name the primary server with --database.`,
    NOT_UTF8:
      `${database} cannot store every character: create one with createdb --encoding=UTF8 --locale=C --template=template0, and ` +
      'name it with --database.',
    POOLED:
      `A pooler at ${place} gives each transaction another connection, so no notifications arrive: name PostgreSQL ` +
      'itself with --database.',
    '08P01':
      `${database} is behind a pooler that refuses what the gateway needs (${code}): name PostgreSQL itself with ` +
      '--database.',
    '53100': `No space left on the disk of the database at ${place} (${code}): free some and start again.`,
    '53300': `${database} has too many connections (${code}): raise its max_connections.`,
    ERR_INVALID_URL: url,
    URIError: url,
    ENOTFOUND: name,
    EAI_AGAIN: name,
  };
  if (sentences[code] !== undefined) return sentences[code];
  // OpenSSL's codes, as Node names them.
  if (/CERT|SIGNATURE|ISSUER/.test(code)) {
    return (
      `The certificate of the database at ${place} does not fit (${code}): name the server in --database as its ` +
      'certificate does, and the file of the authority that signed it with sslrootcert.'
    );
  }
  if (/^ERR_(?:SSL|OSSL)|^EPROTO$/.test(code)) {
    return `TLS with the database at ${place} fails (${code}): correct sslrootcert, sslcert or sslkey in --database.`;
  }
  // Of a statement; class 08 are lost connections, 57 ends of the server.
  return /^(?!08|57)(?=.*\d)[0-9A-Z]{5}$/.test(code)
    ? `${database} refuses what the gateway needs (${code}): its log says why.`
    : `${database} cannot be used (${code}): see that it runs and can be reached from here.`;
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
