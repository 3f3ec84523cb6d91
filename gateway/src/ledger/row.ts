import { type Cipher, reseal } from './cipher.ts';

export interface StoredSession {
  readonly numero: string;
  /** Whether it was deleted, but not unlinked yet. */
  readonly leaving: boolean;
}

/** A session that this process is to own. */
export interface TakenSession extends StoredSession {
  /** Identifies this claim: a session that is claimed again, or deleted and added again, has another one. */
  readonly epoch: string;
}

/** A key of a session, or a part of its archive. */
export interface Row {
  readonly type: string;
  readonly id: string;
  readonly value: string;
}

/** A change of one row; without a value it is deleted. */
export interface Change extends Pick<Row, 'type' | 'id'> {
  readonly value: string | undefined;
}

/** Where rows are stored: keys are erased when a session is unlinked, its archive when it is deleted. */
export const TABLES = ['key', 'archive'] as const;
export type Table = (typeof TABLES)[number];

/** Returns a row of a session with its value sealed. */
export function sealRow(cipher: Cipher, numero: string, row: Row): Row {
  return { ...row, value: cipher.seal(row.value, placeOf(numero, row)) };
}

/** Returns the value of a sealed row. Throws a `DecryptionError`, also for a row of another session. */
export function openRow(cipher: Cipher, numero: string, row: Row): string {
  return cipher.open(row.value, placeOf(numero, row));
}

/** A session with all its rows, sealed. */
export interface StoredRows extends StoredSession, Readonly<Record<Table, readonly Row[]>> {}

/** Returns a session sealed with another cipher. Throws a `DecryptionError`. */
export function resealed(from: Cipher, to: Cipher, session: StoredRows): StoredRows {
  // A damaged value moves as it is.
  if (from.id === to.id) return session;
  const { numero, key, archive } = session;
  const anew = (row: Row) => ({ ...row, value: reseal(from, to, row.value, placeOf(numero, row)) });
  return { ...session, key: key.map(anew), archive: archive.map(anew) };
}

function placeOf(numero: string, { type, id }: Row): readonly string[] {
  return [numero, type, id];
}

/** The key under which the credentials are stored. */
export const CREDENTIALS = { type: 'creds', id: '' };
/** The key of the time of the last send; written before each one, to check that the ledger takes writes. */
export const USED = { type: 'used', id: '' };

/** The keys of one session, as text. */
export interface SessionKeys {
  /**
   * Returns the values that are needed before the first connection, {@link CREDENTIALS} and {@link USED}; undefined for
   * one that does not exist. Throws a `StoreError`.
   */
  first(key: typeof CREDENTIALS | typeof USED): string | undefined;

  /** Returns the values of those ids that exist. */
  get(type: string, ids: readonly string[]): Promise<Map<string, string>>;

  /** Writes all changes or none. */
  write(changes: readonly Change[]): Promise<void>;
}

/** What was told of the numbers by one channel, and what is still to be told. */
export interface Told {
  readonly text: string;
  /** Another one after each change. */
  readonly version: string;
}

/** Where what a channel has told is sealed. */
export function toldPlace(channel: string): readonly string[] {
  return ['told', channel];
}

/** A version of WhatsApp Web. */
export interface ConfirmedVersion {
  /** Such as `2.3000.1043857760`. */
  readonly version: string;
  /** When WhatsApp last said that it is the current one, in milliseconds since 1970. */
  readonly confirmed: number;
}
