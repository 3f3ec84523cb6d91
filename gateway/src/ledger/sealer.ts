import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { type Cipher, cipherOf, DecryptionError } from './cipher.ts';
import type { Row, Table } from './driver.ts';

/** Length of a data key, in bytes. */
const LENGTH = 32;

/** Seals the rows of one session. */
export interface Sealer {
  /** Returns the stored id of a key. */
  idOf(type: string, id: string): string;
  /** @param row with its stored id */
  seal(table: Table, row: Row): Row;
  /** Throws a {@link DecryptionError}. */
  open(table: Table, row: Row): Row;
}

/*
 * The secret of a session: one data key for its keys and one for its archive. Whoever destroys a data key destroys all
 * that was sealed with it, wherever copies of that are left.
 */

/** Returns a new secret, wrapped by the cipher of the key file. */
export function newSecret(cipher: Cipher, numero: string): string {
  return wrap(cipher, numero, randomBytes(2 * LENGTH));
}

/** Returns the secret with another data key for the keys. Throws a {@link DecryptionError}. */
export function withNewKey(cipher: Cipher, numero: string, secret: string): string {
  const archive = unwrap(cipher, numero, secret).subarray(LENGTH);
  return wrap(cipher, numero, Buffer.concat([randomBytes(LENGTH), archive]));
}

/** Wraps a secret with another cipher. Throws a {@link DecryptionError}. */
export function rewrapped(from: Cipher, to: Cipher, numero: string, secret: string): string {
  return wrap(to, numero, unwrap(from, numero, secret));
}

/** Returns the sealer of a session by its wrapped secret. Throws a {@link DecryptionError}. */
export function sealerOf(cipher: Cipher, numero: string, secret: string): Sealer {
  const bytes = unwrap(cipher, numero, secret);
  const keys = bytes.subarray(0, LENGTH);
  const ciphers = { key: cipherOf(keys), archive: cipherOf(bytes.subarray(LENGTH)) };
  const idKey = Buffer.from(hkdfSync('sha256', keys, '', 'ids of keys', LENGTH));
  return {
    // It may contain the number of a contact. What a session has one of needs no id.
    idOf: (type, id) =>
      id === ''
        ? ''
        : createHmac('sha256', idKey)
            .update(JSON.stringify([type, id]))
            .digest('base64url'),
    seal: (table, { type, id, value }) => ({ type, id, value: ciphers[table].seal(value, [type, id]) }),
    open: (table, { type, id, value }) => ({ type, id, value: ciphers[table].open(value, [type, id]) }),
  };
}

/** Returns the sealer of sessions from before data keys: the cipher of the key file, and ids as they are. */
export function earlierSealer(cipher: Cipher, numero: string): Sealer {
  return {
    idOf: (_, id) => id,
    seal: (_, { type, id, value }) => ({ type, id, value: cipher.seal(value, [numero, type, id]) }),
    open: (_, { type, id, value }) => ({ type, id, value: cipher.open(value, [numero, type, id]) }),
  };
}

/** A row in its new form, and the id that it had. */
export interface ConvertedRow extends Row {
  readonly from: string;
}

/** Converts rows from the form of one sealer to that of another. Damaged values stay, and cannot be opened. */
export function converted(table: Table, rows: readonly Row[], from: Sealer, to: Sealer): ConvertedRow[] {
  return rows.map((row) => {
    const id = table === 'key' ? to.idOf(row.type, row.id) : row.id;
    try {
      return { ...to.seal(table, { ...from.open(table, row), id }), from: row.id };
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error;
      return { ...row, id, from: row.id };
    }
  });
}

function wrap(cipher: Cipher, numero: string, secret: Buffer): string {
  return cipher.seal(secret.toString('base64'), [numero, 'secret']);
}

function unwrap(cipher: Cipher, numero: string, secret: string): Buffer {
  const bytes = Buffer.from(cipher.open(secret, [numero, 'secret']), 'base64');
  if (bytes.length !== 2 * LENGTH) throw new DecryptionError('The secret is damaged');
  return bytes;
}
