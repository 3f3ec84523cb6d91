import { Fault } from '../diagnosis.ts';
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
  const code = reasonOf(error);
  const place = placeOf(url);
  switch (code) {
    case '28P01':
      return new DatabaseError(
        `The database at ${place} does not take the user or the password (${code}): correct --database.`,
      );
    case '28000':
      return new DatabaseError(
        `The database at ${place} does not let this user in (${code}): correct --database, or allow the user in ` +
          'pg_hba.conf. It may require TLS: append ?sslmode=verify-full.',
      );
    case 'NO_TLS':
      return new DatabaseError(
        `The database at ${place} does not offer TLS: turn it on there, or correct sslmode in --database.`,
      );
    case 'ENOENT':
    case 'EACCES':
    case 'EISDIR':
      return new DatabaseError(
        `A file that --database names for TLS cannot be read (${code}): correct sslrootcert, sslcert or sslkey.`,
      );
    case '3D000':
      return new DatabaseError(
        `There is no such database at ${place}: create it with createdb, or correct --database.`,
      );
    case '42501':
      return new DatabaseError(
        `The user of the database at ${place} may not do what the gateway needs (${code}): make it the owner of the ` +
          'database.',
      );
    case '25006':
      return new DatabaseError(
        `The database at ${place} takes no writes (${code}): name the primary server with --database.`,
      );
    case '53100':
      return new DatabaseError(
        `No space left on the disk of the database at ${place} (${code}): free some and start again.`,
      );
    case '53300':
      return new DatabaseError(
        `The database at ${place} has too many connections (${code}): raise its max_connections.`,
      );
    case 'ERR_INVALID_URL':
    case 'URIError':
      return new DatabaseError(
        '--database is no URL of a database: give it as postgres://user@host/database.',
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new DatabaseError(
        `The name of the database's server in ${place} cannot be resolved (${code}): correct --database.`,
      );
    default:
      return 'code' in error ? new DatabaseError(otherSentence(code, place)) : error;
  }
}

/** Codes of OpenSSL for an invalid certificate, as Node names them. */
const CERTIFICATE = /CERT|SIGNATURE|ISSUER/;
/** PostgreSQL's code of an error in a statement, or while it runs; class 08 are lost connections, 57 ends of the server. */
const STATEMENT = /^(?!08|57)[0-9A-Z]{5}$/;

function otherSentence(code: string, place: string): string {
  if (CERTIFICATE.test(code)) {
    return (
      `The certificate of the database at ${place} does not fit (${code}): name the server in --database as its ` +
      'certificate does, and the file of the authority that signed it with sslrootcert.'
    );
  }
  if (/^ERR_(?:SSL|OSSL)|^EPROTO$/.test(code)) {
    return `TLS with the database at ${place} fails (${code}): correct sslrootcert, sslcert or sslkey in --database.`;
  }
  if (STATEMENT.test(code)) {
    return `The database at ${place} refuses what the gateway needs (${code}): its log says why.`;
  }
  return `The database at ${place} cannot be used (${code}): see that it runs and can be reached from here.`;
}

/** Returns the hosts and the name of the database, but only where nothing in them can be part of a password. */
function placeOf(url: string): string {
  const parts = /^postgres(?:ql)?:\/\/(?:[^/@?#]*@)?(?<place>[^/@?#]+(?:\/[^/@?#]*)?)(?:\?[^@]*)?$/.exec(url);
  return parts?.groups?.place ?? 'the URL of --database';
}
