import type {
  AuthenticationCreds,
  AuthenticationState,
  SignalDataSet,
  SignalDataTypeMap,
  SignalKeyStore,
} from '@whiskeysockets/baileys';
import type { Operations } from '../../ledger/operations.ts';
import { type Change, CREDENTIALS, type SessionKeys, USED } from '../../ledger/row.ts';
import { accountName } from '../account-name.ts';
import { KeyCache } from './caches.ts';
import { type Library, SILENT } from './library.ts';

/** Keys in memory: with the library's own lifetime, and as many as a busy session uses. */
const CACHE = { life: 5 * 60_000, most: 2_000 };

/** Fields that all credentials have; without one of them the library fails in obscure places. */
const PARTS = ['noiseKey', 'signedIdentityKey', 'signedPreKey', 'registrationId', 'advSecretKey'];

/**
 * The credentials that make the gateway a device of one account, in the library's format. The library changes `creds`
 * in place and emits an event; each such change, and each set of keys, is written whole or not at all. What cannot be
 * written stays in memory and is written with the next change. One write is under way at a time; the next one includes
 * all changes made meanwhile.
 */
export class DeviceCredentials {
  readonly #numero: string;
  readonly #keys: SessionKeys;
  readonly #library: Library;
  readonly #operations: Operations;
  readonly #creds: AuthenticationCreds;
  #dropped = false;
  /** By type and id. */
  readonly #unwritten = new Map<string, Change>();
  /** The write under way, and the one after it. */
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #used: number;
  readonly auth: AuthenticationState;

  /**
   * Throws a `StoreError` if stored credentials cannot be read.
   *
   * @param operations runs what turns the ledger's texts into the library's values, and back
   */
  constructor(numero: string, keys: SessionKeys, library: Library, operations: Operations) {
    this.#numero = numero;
    this.#keys = keys;
    this.#library = library;
    this.#operations = operations;
    this.#creds = operations.run('read-credentials', numero, () => this.#read()) ?? library.initAuthCreds();
    this.#used = Number(keys.first(USED) ?? 0);
    const store: SignalKeyStore = {
      get: (type, ids) => this.#get(type, ids),
      set: (data) => this.#set(data),
    };
    const cache = new KeyCache(CACHE.life, CACHE.most);
    this.auth = { creds: this.#creds, keys: library.makeCacheableSignalKeyStore(store, SILENT, cache) };
  }

  /** The digits of the linked phone; undefined while none is linked. */
  get phone(): string | undefined {
    const { me, account } = this.#creds;
    // On a request for a code to type, the library already sets the number as its own.
    return account && me && this.#library.jidDecode(me.id)?.user;
  }

  /** The linked account's own name, where it is known. */
  get name(): string | undefined {
    return this.phone === undefined ? undefined : accountName(this.#creds.me?.name);
  }

  /** Forgets a number without a linked phone: a new connection would log in with it. */
  forgetUnlinked(): void {
    if (this.phone === undefined) delete this.#creds.me;
  }

  /** When the session was last used to send, in milliseconds since 1970; 0 for never. */
  get used(): number {
    return this.#used;
  }

  /** Writes `creds` as they are now, once a phone is linked. Rejects with a `StoreError` if that fails. */
  async save(): Promise<void> {
    // The library accepts a pairing without an account, and a login without a pairing.
    if (this.#dropped || this.phone === undefined) return;
    await this.#write(() => [{ ...CREDENTIALS, value: this.#encode(this.#creds) }]);
  }

  /**
   * Writes the time of this use, and all pending changes. Rejects with a `StoreError` if the store takes no writes: if
   * the keys that a message changes were lost, no later message could be read after a restart.
   */
  async checkWritable(): Promise<void> {
    if (this.#dropped) return;
    // SQLite skips a write that changes nothing.
    this.#used = Math.max(Date.now(), this.#used + 1);
    await this.#write(() => [{ ...USED, value: String(this.#used) }]);
  }

  /** Resolves when no write is under way, nor about to follow one. Never rejects. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing.catch(() => {});
  }

  /** Stops all writes that have not begun, because the credentials were erased or the store is closed. */
  drop(): void {
    this.#dropped = true;
  }

  #read(): AuthenticationCreds | undefined {
    const text = this.#keys.first(CREDENTIALS);
    if (text === undefined) return undefined;
    const creds: unknown = this.#decode(text);
    if (!isComplete(creds)) throw new TypeError('Incomplete credentials');
    return creds;
  }

  async #get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
    if (this.#dropped) return {};
    const pending = new Map(ids.map((id) => [id, this.#unwritten.get(nameOf(type, id))]));
    const stored = await this.#keys.get(
      type,
      ids.filter((id) => !pending.get(id)),
    );
    return this.#operations.run('read-keys', this.#numero, () => {
      const found: { [id: string]: SignalDataTypeMap[T] } = {};
      for (const id of ids) {
        const change = pending.get(id);
        const text = change ? change.value : stored.get(id);
        if (text !== undefined) found[id] = this.#valueOf(type, text);
      }
      return found;
    });
  }

  #valueOf(type: keyof SignalDataTypeMap, text: string) {
    const value = this.#decode(text);
    // For these the library expects its own class, with bytes where JSON has text.
    return type === 'app-state-sync-key'
      ? this.#library.proto.Message.AppStateSyncKeyData.fromObject(value)
      : value;
  }

  async #set(data: SignalDataSet): Promise<void> {
    if (this.#dropped) return;
    await this.#write(() =>
      Object.entries(data).flatMap(([type, entries]) =>
        Object.entries(entries).map(([id, value]) => ({
          type,
          id,
          value: value ? this.#encode(value) : undefined,
        })),
      ),
    );
  }

  /** Writes changes, with all pending ones; at once, unless a write is under way. */
  #write(changes: () => readonly Change[]): Promise<void> {
    for (const change of this.#operations.run('write-keys', this.#numero, changes)) {
      this.#unwritten.set(nameOf(change.type, change.id), change);
    }
    if (!this.#writing) return this.#begin();
    const begin = () => this.#begin();
    this.#next ??= this.#writing.then(begin, begin);
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    this.#writing = this.#writePending().finally(() => {
      // Otherwise a write could begin before the one that waits.
      if (!this.#next) this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writePending(): Promise<void> {
    if (this.#dropped) return;
    const pending = [...this.#unwritten];
    await this.#keys.write(pending.map(([, change]) => change));
    for (const [name, change] of pending) {
      // It may have changed during the write.
      if (this.#unwritten.get(name) === change) this.#unwritten.delete(name);
    }
  }

  #encode(value: unknown): string {
    return JSON.stringify(value, this.#library.BufferJSON.replacer);
  }

  #decode(text: string) {
    return JSON.parse(text, this.#library.BufferJSON.reviver);
  }
}

function nameOf(type: string, id: string): string {
  return `${type}/${id}`;
}

function isComplete(creds: unknown): creds is AuthenticationCreds {
  if (typeof creds !== 'object' || creds === null) return false;
  return PARTS.every((part) => part in creds) && (!('me' in creds) || hasId(creds.me));
}

function hasId(me: unknown): boolean {
  return typeof me === 'object' && me !== null && 'id' in me && typeof me.id === 'string';
}
