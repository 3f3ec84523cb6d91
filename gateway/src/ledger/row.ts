/** A session of the ledger. */
export interface StoredSession {
  readonly numero: string;
  /** Whether it was deleted, but not unlinked yet. */
  readonly leaving: boolean;
}

/** A session that this process is to own. */
export interface TakenSession extends StoredSession {
  /** Identifies this claim: a session that is claimed again, or deleted and added again, has another one. */
  readonly epoch: string;
  /** Its wrapped data keys; see `sealerOf`. Default: the driver loads them, or there are none. */
  readonly secret?: string | null;
}

/** A key of a session, or a part of its archive. */
export interface Row {
  readonly type: string;
  readonly id: string;
  readonly value: string;
}

/** A change of one row; without a value it is deleted. */
export interface Change {
  readonly type: string;
  readonly id: string;
  readonly value: string | undefined;
}

/** Where a row is stored: keys are erased when a session is unlinked, its archive when it is deleted. */
export type Table = 'key' | 'archive';

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

/** A version of WhatsApp Web. */
export interface ConfirmedVersion {
  /** Such as `2.3000.1043857760`. */
  readonly version: string;
  /** When WhatsApp last said that it is the current one, in milliseconds since 1970. */
  readonly confirmed: number;
}
