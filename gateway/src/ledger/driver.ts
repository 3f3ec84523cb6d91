import type { Change, ConfirmedVersion, Row, Table, TakenSession, Told } from './row.ts';

/** One promise for all claims that have had no statement: there are thousands. */
const FREE = Promise.resolve();

/** A session that this process owns. */
export class Claim {
  readonly numero: string;
  readonly epoch: string;
  leaving: boolean;
  /** The sealed rows of the credentials, the last use, the names, the link and the proxy, by type, as far as they were read. */
  readonly kept = new Map<string, Row | undefined>();
  /** Whether its keys are void, but could not be erased yet. */
  isVoid = false;
  /** Whether only the fact that it was deleted is kept. */
  isUnlisted = false;
  /**
   * Entries of its history until old ones are removed. The first entries of a process may follow many of another: they
   * are pruned at once.
   */
  left = 0;
  /** Settles when its last statement has. */
  free: Promise<unknown> = FREE;

  constructor({ numero, epoch, leaving }: TakenSession) {
    this.numero = numero;
    this.epoch = epoch;
    this.leaving = leaving;
  }
}

/**
 * Stores the rows of claims, sealed. Every statement is atomic, and durable once its promise resolves; it rejects with
 * the error of the storage. Those that resolve with false found the session claimed by another process, and wrote
 * nothing.
 */
export interface Driver {
  /** Whether this process may use the storage now. */
  readonly isUsable: boolean;

  /** Reads what is kept of claims. */
  load?(claims: readonly Claim[]): Promise<void>;

  /** Returns the only row of a type, now. Without this method, claims that were not loaded have none. */
  one?(claim: Claim, type: string): Row | undefined;

  /** Adds sessions, or takes those that are this process's already. Undefined if another process has one. */
  add(numeros: readonly string[]): Promise<readonly TakenSession[] | undefined>;

  /** Returns the keys of those ids that exist. */
  keys(claim: Claim, type: string, ids: readonly string[]): Promise<Row[]>;

  /** Changes rows; without changes, it only finds out whether the session is still this process's. */
  write(claim: Claim, table: Table, changes: readonly Change[]): Promise<boolean>;

  /** Marks a session as deleted or not, and erases rows of it. */
  mark(claim: Claim, leaving: boolean, erased: readonly Table[]): Promise<boolean>;

  /** Erases a session with all its rows; true also if that happened before. */
  remove(claim: Claim): Promise<boolean>;

  /** Adds rows to archives, where they do not exist yet; those of other processes' sessions are dropped. */
  record(rows: readonly ArchiveRow[]): Promise<void>;

  /** Returns entries of the history with ids before this one, the last one first. */
  history(claim: Claim, before: string, limit: number): Promise<Row[]>;

  /** Removes old entries of histories; see `Ledger.record`. @param old the id of the first entry that is not old */
  prune(claims: readonly Claim[], old: string): Promise<void>;

  /** Returns the numeros of the sessions with these links, by hash, whoever owns them. */
  linked?(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>;

  /** Returns the last version that was kept. */
  version(): Promise<ConfirmedVersion | undefined>;

  keepVersion(version: ConfirmedVersion): Promise<void>;

  /** Returns what a channel has told; undefined before the first time. */
  told(channel: string): Promise<Told | undefined>;

  /**
   * Replaces what a channel has told. Resolves with false if another process has done so. May be repeated.
   *
   * @param before the version that is replaced; undefined for the first time
   */
  keepTold(channel: string, told: Told, before: string | undefined): Promise<boolean>;

  close?(): void;
}

export type ArchiveRow = readonly [claim: Claim, row: Row];
