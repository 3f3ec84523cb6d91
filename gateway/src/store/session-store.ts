import type { Archive } from './archive.ts';

/** A session that this process carries, as the store has it. */
export interface StoredSession {
  readonly numero: string;
  /** Whether it was deleted, but not unlinked yet. */
  readonly leaving: boolean;
}

/** A change of one key; without a value it is deleted. */
export interface KeyChange {
  readonly type: string;
  readonly id: string;
  readonly value: string | undefined;
}

/** A key with its value as the library's text. */
export interface StoredKey {
  readonly type: string;
  readonly id: string;
  readonly value: string;
}

/** The key under which the credentials are stored. */
export const CREDENTIALS = { type: 'creds', id: '' };
/** The key of the time of the last send; written before each one, to check that the store takes writes. */
export const USED = { type: 'used', id: '' };

/**
 * The sessions that this process carries, and their keys. Two implementations: one SQLite file of this process alone,
 * and a PostgreSQL that many gateways share.
 *
 * Every write is atomic, and durable once its promise resolves: however the process ends, no linked session is lost. A
 * failed operation is logged and, unless noted otherwise, rejects with a `StoreError`. Writes for one session take
 * effect in the order of the calls. After `close`, and for a session that this process no longer carries, nothing is
 * written.
 */
export interface SessionStore {
  readonly isOpen: boolean;

  /** The stored data of the sessions besides their keys. It is removed with its session. */
  readonly archive: Archive;

  /** Returns every session of this process that was added and not removed, the oldest first. */
  sessions(): readonly StoredSession[];

  has(numero: string): boolean;

  /** Adds a session, or takes back its deletion. */
  add(numero: string): Promise<void>;

  /** Returns the keys of a stored session. */
  keys(numero: string): SessionKeys;

  /** Marks a session as deleted, so that whoever carries it next resumes its deletion instead of restoring it. */
  leave(numero: string): Promise<void>;

  /**
   * Erases the keys of a session. If the store fails, they are erased before the next use instead, and the promise
   * still resolves.
   */
  erase(numero: string): Promise<void>;

  /** Erases a session with its keys. Resolves when no part of them is left where others could read it. */
  remove(numero: string): Promise<void>;

  /**
   * Makes sure that this process may log the session in now. Resolves with false if another one carries it, or may.
   */
  confirm(numero: string): Promise<boolean>;

  close(): Promise<void>;
}

/** The keys of one session, as text. */
export interface SessionKeys {
  /**
   * Returns the values that are needed before the first connection, {@link CREDENTIALS} and {@link USED}; undefined for
   * one that does not exist. They are in memory, or read synchronously. Throws a `StoreError`.
   */
  first(key: typeof CREDENTIALS | typeof USED): string | undefined;

  /** Returns the values of those ids that exist. */
  get(type: string, ids: readonly string[]): Promise<Map<string, string>>;

  /** Writes all changes or none. */
  write(changes: readonly KeyChange[]): Promise<void>;
}
