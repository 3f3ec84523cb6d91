import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { type Cipher, cipherOf, DecryptionError } from './cipher.ts';
import type { Row, Table } from './row.ts';

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

/**
 * Returns the sealer of a session by its wrapped secret. Sessions from before data keys have none: the cipher of the key
 * file seals their rows, and ids are as they are. Throws a {@link DecryptionError}.
 */
export function sealerOf(cipher: Cipher, numero: string, secret: string | null): Sealer {
  if (secret === null) return new EarlierSealer(cipher, numero);
  const bytes = unwrap(cipher, numero, secret);
  const keys = bytes.subarray(0, LENGTH);
  const ciphers = { key: cipherOf(keys), archive: cipherOf(bytes.subarray(LENGTH)) };
  const idKey = Buffer.from(hkdfSync('sha256', keys, '', 'ids of keys', LENGTH));
  return {
    // It may contain the number of a contact. A type with a single row needs no id.
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

/** A class instead of closures, which take more memory: in the simulation there is one for each session. */
class EarlierSealer implements Sealer {
  readonly #cipher: Cipher;
  readonly #numero: string;

  constructor(cipher: Cipher, numero: string) {
    this.#cipher = cipher;
    this.#numero = numero;
  }

  idOf(_type: string, id: string): string {
    return id;
  }

  seal(_table: Table, { type, id, value }: Row): Row {
    return { type, id, value: this.#cipher.seal(value, [this.#numero, type, id]) };
  }

  open(_table: Table, { type, id, value }: Row): Row {
    return { type, id, value: this.#cipher.open(value, [this.#numero, type, id]) };
  }
}

/** All rows of a session, as they are stored. */
export type SessionRows = Readonly<Record<Table, readonly Row[]>>;

/** A session in its present form: its wrapped secret, and each row with the id that it had. */
export interface Converted extends Readonly<Record<Table, readonly (Row & { readonly from: string })[]>> {
  readonly secret: string;
}

/**
 * Gives a session from before data keys a secret, which seals its rows. Damaged values stay, and cannot be opened.
 *
 * @param from seals its rows
 * @param to wraps its secret
 */
export function converted(from: Cipher, to: Cipher, numero: string, rows: SessionRows): Converted {
  const secret = newSecret(to, numero);
  const [earlier, sealer] = [new EarlierSealer(from, numero), sealerOf(to, numero, secret)];
  const convert = (table: Table, row: Row) => {
    const id = table === 'key' ? sealer.idOf(row.type, row.id) : row.id;
    try {
      return { ...sealer.seal(table, { ...earlier.open(table, row), id }), from: row.id };
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error;
      return { ...row, id, from: row.id };
    }
  };
  return {
    secret,
    key: rows.key.map((row) => convert('key', row)),
    archive: rows.archive.map((row) => convert('archive', row)),
  };
}

function wrap(cipher: Cipher, numero: string, secret: Buffer): string {
  return cipher.seal(secret.toString('base64'), [numero, 'secret']);
}

function unwrap(cipher: Cipher, numero: string, secret: string): Buffer {
  const bytes = Buffer.from(cipher.open(secret, [numero, 'secret']), 'base64');
  if (bytes.length !== 2 * LENGTH) throw new DecryptionError('The secret is damaged');
  return bytes;
}
