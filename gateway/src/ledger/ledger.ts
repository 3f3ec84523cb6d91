import { randomUUID } from 'node:crypto';
import type { WireHistoryEntry } from '../../../src/wire.ts';
import type { ProxyServer } from '../proxy/proxy.ts';
import type { NewEntry, Profile, StoredLink } from './archive.ts';
import * as archive from './archive.ts';
import { type Cipher, DecryptionError } from './cipher.ts';
import { Claims } from './claims.ts';
import { Claim, type Driver } from './driver.ts';
import { LinkLookup } from './link-lookup.ts';
import { type DiskObserver, Operations } from './operations.ts';
import {
  type Change,
  type ConfirmedVersion,
  CREDENTIALS,
  openRow,
  type Row,
  type SessionKeys,
  type StoredSession,
  sealRow,
  TABLES,
  type TakenSession,
  toldPlace,
  USED,
} from './row.ts';
import { type DiskTask, ignoreStoreError, NotOwnerError } from './store-error.ts';

interface LedgerOptions {
  readonly cipher: Cipher;
  /** Operator log: one sentence per call. */
  readonly print: (sentence: string) => void;
  /** Called when a session turns out to be another process's. */
  readonly lost?: (numero: string) => void;
  readonly onDiskTask?: DiskObserver | undefined;
}

/**
 * The sessions that this process owns, with their keys, names, links, proxies and histories.
 *
 * Every write is atomic, and durable once its promise resolves: however the process ends, no linked session is lost. A
 * failed operation is logged and, unless noted otherwise, rejects with a `StoreError`. One statement at a time is under
 * way for each session, in the order of the calls; only entries of histories are written beside them. After `close`, and
 * for a session that this process no longer owns, nothing is written.
 */
export class Ledger {
  readonly #driver: Driver;
  readonly #cipher: Cipher;
  readonly #print: (sentence: string) => void;
  readonly #operations: Operations;
  readonly #claims: Claims;
  readonly #links = new LinkLookup((hashes) => this.#findLinks(hashes));

  constructor(driver: Driver, { cipher, print, lost = () => {}, onDiskTask }: LedgerOptions) {
    this.#driver = driver;
    this.#cipher = cipher;
    this.#print = print;
    this.#operations = new Operations(print, onDiskTask);
    this.#claims = new Claims(driver, this.#operations, lost);
  }

  get isOpen(): boolean {
    return this.#claims.isOpen;
  }

  /** Takes sessions that this process has just claimed. Rejects with the error of the storage. */
  async take(rows: readonly TakenSession[]): Promise<void> {
    if (!this.#claims.isUsable || rows.length === 0) return;
    const claims = rows.map((row) => new Claim(row));
    await this.#driver.load?.(claims);
    for (const claim of claims) this.#claims.set(claim.numero, claim);
  }

  /** Forgets a session that is no longer this process's: nothing more is written to it. */
  drop(numero: string): void {
    this.#claims.delete(numero);
  }

  dropAll(): void {
    this.#claims.clear();
  }

  /** Returns every session of this process that was added and not removed, the oldest first. */
  sessions(): StoredSession[] {
    return [...this.#claims.values()].map(({ numero, leaving }) => ({ numero, leaving }));
  }

  has(numero: string): boolean {
    return this.#claims.has(numero);
  }

  /** Whether a session is stored, and not being deleted. */
  isListed(numero: string): boolean {
    return this.#claims.get(numero)?.leaving === false;
  }

  /** Adds a session, or takes back its deletion. */
  async add(numero: string): Promise<void> {
    await this.addAll([numero]);
    const claim = this.#claims.get(numero);
    if (!claim) return;
    if (claim.isVoid) await this.#eraseVoid(claim);
    // Without a write, a linked session starts even on a full disk.
    if (claim.leaving) await this.#mark(claim, 'start', false);
    claim.isUnlisted = false;
  }

  /** Adds the sessions that are not stored, all or none. */
  async addAll(numeros: readonly string[]): Promise<void> {
    const [first, ...others] = numeros.filter((numero) => !this.has(numero));
    if (first === undefined) return;
    await this.#operations.later('start', first, async () => {
      const added = this.#claims.isUsable && (await this.#driver.add([first, ...others]));
      if (!added) throw new NotOwnerError('start', first);
      await this.take(added);
    });
  }

  keys(numero: string): SessionKeys {
    const claim = this.#claims.get(numero);
    if (!claim) throw new NotOwnerError('read-credentials', numero);
    return {
      first: ({ type }) =>
        this.#operations.run('read-credentials', numero, () => this.#one(claim, type)?.value),
      get: (type, ids) =>
        this.#claims.read(claim, 'read-keys', async () => {
          if (claim.isVoid || ids.length === 0) return new Map();
          const rows = await this.#driver.keys(claim, type, ids);
          return new Map(rows.map((row) => [row.id, openRow(this.#cipher, numero, row)]));
        }),
      write: async (changes) => {
        if (claim.isVoid) await this.#eraseVoid(claim);
        await this.#claims.write(claim, 'write-keys', async () => {
          const sealed = changes.map(({ type, id, value }) => {
            return value === undefined
              ? { type, id, value }
              : sealRow(this.#cipher, numero, { type, id, value });
          });
          const isOurs = await this.#driver.write(claim, 'key', sealed);
          for (const { type, id, value } of sealed) {
            if (id !== '' || claim.isVoid) continue;
            claim.kept.set(type, value === undefined ? value : { type, id, value });
          }
          return isOurs;
        });
      },
    };
  }

  /** Marks a session as deleted, so that whoever owns it next resumes its deletion instead of restoring it. */
  async leave(numero: string): Promise<void> {
    const claim = this.#claims.get(numero);
    if (claim) await this.#mark(claim, 'delete', true);
  }

  /** Keeps only the fact that a session was deleted, until it is added again. */
  async unlist(numero: string): Promise<void> {
    const claim = this.#claims.get(numero);
    if (!claim) return;
    await this.#claims.write(claim, 'erase', () => this.#driver.mark(claim, true, TABLES));
    claim.kept.clear();
    claim.leaving = true;
    claim.isUnlisted = true;
  }

  /**
   * Erases the keys of a session. If that fails, they are erased before the next use instead, and the promise still
   * resolves.
   */
  async erase(numero: string): Promise<void> {
    const claim = this.#claims.get(numero);
    if (!claim) return;
    for (const { type } of [CREDENTIALS, USED]) claim.kept.set(type, undefined);
    claim.isVoid = true;
    // The next deletion tries again.
    await this.#eraseVoid(claim).catch(ignoreStoreError);
  }

  /** Erases a session with its keys. */
  async remove(numero: string): Promise<void> {
    const claim = this.#claims.get(numero);
    if (!claim) return;
    await this.#claims.write(claim, 'erase', () => this.#driver.remove(claim));
    if (this.#claims.get(numero) === claim) this.#claims.delete(numero);
  }

  /** Makes sure that this process may log the session in now. Resolves with false if another one owns it, or may. */
  async confirm(numero: string): Promise<boolean> {
    const claim = this.#claims.get(numero);
    if (!claim) return false;
    try {
      await this.#claims.write(claim, 'read-credentials', () => this.#driver.write(claim, 'key', []));
      // The lease may have ended meanwhile.
      return this.#claims.isUsable && this.#claims.get(numero) === claim;
    } catch (error) {
      if (error instanceof NotOwnerError) return false;
      throw error;
    }
  }

  /** Resolves when all statements begun before are done. */
  async close(): Promise<void> {
    if (!this.isOpen) return;
    await this.#claims.close();
    this.#driver.close?.();
  }

  /** The names of the session. Throws a `StoreError`. */
  profile(numero: string): Profile {
    return this.#part(numero, archive.PROFILE.type, ({ value }) => archive.readProfile(value)) ?? {};
  }

  describe(numero: string, profile: Profile): Promise<void> {
    return this.#replace(numero, archive.PROFILE.type, archive.profileRow(profile));
  }

  /** The session's link. Throws a `StoreError`. */
  link(numero: string): StoredLink | undefined {
    return this.#part(numero, archive.LINK, ({ id, value }) => archive.readLink(id, value));
  }

  /** Replaces the session's link; undefined removes it. */
  setLink(numero: string, link: StoredLink | undefined): Promise<void> {
    return this.#replace(numero, archive.LINK, link && archive.linkRow(link));
  }

  /**
   * The session's own proxy; undefined if it has none. Throws a `StoreError`, also for a session that this process does not
   * own: it must not connect without the proxy that it may have.
   */
  proxy(numero: string): ProxyServer | undefined {
    if (!this.#listed(numero)) throw new NotOwnerError('read-archive', numero);
    return this.#part(numero, archive.PROXY.type, ({ value }) => archive.readProxy(value));
  }

  /** Replaces the session's proxy; undefined removes it. */
  setProxy(numero: string, proxy: ProxyServer | undefined): Promise<void> {
    return this.#replace(numero, archive.PROXY.type, proxy && archive.proxyRow(proxy));
  }

  /** Returns the numero of the session with this link, whoever owns it. */
  linked(hash: string): Promise<string | undefined> {
    return this.#links.find(hash);
  }

  /**
   * Adds entries to histories, the oldest first; no two of a session have the same time. Drops those of sessions that this
   * process does not own. Removes entries as {@link KEPT} says, some time after they are due.
   */
  async record(entries: readonly NewEntry[]): Promise<void> {
    const rows = entries.flatMap(({ numero, entry }) => {
      const claim = this.#listed(numero);
      return claim ? [[claim, sealRow(this.#cipher, numero, archive.entryRow(entry))] as const] : [];
    });
    const [[first] = []] = rows;
    if (!first || !this.#claims.isUsable) return;
    const write = (task: () => Promise<void>) =>
      this.#operations.later('write-archive', first.numero, async () => {
        if (this.#claims.isUsable) await task();
      });
    await write(() => this.#driver.record(rows));
    const due = new Set<Claim>();
    for (const [claim] of rows) {
      claim.left -= 1;
      if (claim.left < 0) due.add(claim);
    }
    for (const claim of due) claim.left = archive.PRUNE_EVERY;
    if (due.size > 0)
      await write(() => this.#driver.prune([...due], archive.entryId(Date.now() - archive.KEPT.time)));
  }

  /**
   * Returns entries of a session's history, the newest first; damaged ones are left out.
   *
   * @param before only entries that are older, in milliseconds since 1970
   */
  async history(numero: string, limit: number, before?: number): Promise<WireHistoryEntry[]> {
    const claim = this.#listed(numero);
    if (!this.#driver.isUsable) throw new NotOwnerError('read-archive', numero);
    if (!claim) return [];
    const rows = await this.#operations.later('read-archive', numero, () =>
      this.#driver.history(claim, archive.entryId(before ?? Number.MAX_SAFE_INTEGER), limit),
    );
    const entries = rows.flatMap((row) => {
      try {
        return archive.readEntry(openRow(this.#cipher, numero, row));
      } catch {
        // The others are useful without it.
        return [];
      }
    });
    const odd = rows.length - entries.length;
    if (odd > 0) this.#print(`Entries of the history of ${numero} cannot be read, and are left out: ${odd}.`);
    return entries;
  }

  /** Returns the claim of a session whose archive may be used. */
  #listed(numero: string): Claim | undefined {
    const claim = this.#claims.get(numero);
    return claim?.isUnlisted ? undefined : claim;
  }

  /** Returns the only row of a type, sealed. */
  #kept(claim: Claim, type: string): Row | undefined {
    if (this.#driver.one && !claim.kept.has(type)) claim.kept.set(type, this.#driver.one(claim, type));
    return claim.kept.get(type);
  }

  #one(claim: Claim, type: string): Row | undefined {
    const row = this.#kept(claim, type);
    return row && { ...row, value: openRow(this.#cipher, claim.numero, row) };
  }

  /** Returns the only part of a type of a session's archive. */
  #part<T>(numero: string, type: string, read: (row: Row) => T): T | undefined {
    const claim = this.#listed(numero);
    return this.#operations.run('read-archive', numero, () => {
      const row = claim && this.#one(claim, type);
      return row && read(row);
    });
  }

  async #replace(numero: string, type: string, row: Row | undefined): Promise<void> {
    const claim = this.#listed(numero);
    if (!claim) throw new NotOwnerError('write-archive', numero);
    await this.#claims.write(claim, 'write-archive', async () => {
      const before = this.#kept(claim, type);
      const sealed = row && sealRow(this.#cipher, numero, row);
      const changes: Change[] = before && before.id !== row?.id ? [{ ...before, value: undefined }] : [];
      if (sealed) changes.push(sealed);
      const isOurs = await this.#driver.write(claim, 'archive', changes);
      claim.kept.set(type, sealed);
      return isOurs;
    });
  }

  /** Returns the version of WhatsApp Web that was kept last. */
  version(): Promise<ConfirmedVersion | undefined> {
    return this.#operations.later('read-version', '', async () => this.#driver.version());
  }

  /** Keeps a version of WhatsApp Web, for all processes with this store. */
  async keepVersion(version: ConfirmedVersion): Promise<void> {
    if (!this.isOpen) return;
    await this.#operations.later('write-version', '', async () => this.#driver.keepVersion(version));
  }

  /** Returns what a channel has told of the numbers, and no text if that is damaged; undefined before the first time. */
  readTold(channel: string): Promise<{ text: string | undefined; version: string } | undefined> {
    return this.#operations.later('read-told', '', async () => {
      const told = await this.#driver.told(channel);
      return told && { text: this.#opened(told.text, toldPlace(channel)), version: told.version };
    });
  }

  /**
   * Replaces what a channel has told, for all processes with this store. Resolves with the new version; undefined if
   * another process has replaced it.
   *
   * @param before the version that is replaced; undefined for the first time
   */
  replaceTold(channel: string, text: string, before: string | undefined): Promise<string | undefined> {
    const told = { text: this.#cipher.seal(text, toldPlace(channel)), version: randomUUID() };
    return this.#operations.later('write-told', '', async () => {
      return (await this.#driver.keepTold(channel, told, before)) ? told.version : undefined;
    });
  }

  #opened(sealed: string, place: readonly string[]): string | undefined {
    try {
      return this.#cipher.open(sealed, place);
    } catch (error) {
      if (error instanceof DecryptionError) return undefined;
      throw error;
    }
  }

  #findLinks(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#operations.later('read-links', '', async () => {
      if (!this.#claims.isUsable) throw new NotOwnerError('read-links', '');
      return (await this.#driver.linked?.(hashes)) ?? new Map();
    });
  }

  async #mark(claim: Claim, task: DiskTask, leaving: boolean): Promise<void> {
    await this.#claims.write(claim, task, () => this.#driver.mark(claim, leaving, []));
    claim.leaving = leaving;
  }

  async #eraseVoid(claim: Claim): Promise<void> {
    await this.#claims.write(claim, 'erase', async () => {
      const isOurs = await this.#driver.mark(claim, claim.leaving, ['key']);
      claim.isVoid = false;
      return isOurs;
    });
  }
}
