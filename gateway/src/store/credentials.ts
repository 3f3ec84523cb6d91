import type {
  AuthenticationCreds,
  AuthenticationState,
  SignalDataSet,
  SignalDataTypeMap,
  SignalKeyStore,
} from '@whiskeysockets/baileys';
import type { Database } from 'libsql';
import { KeyCache } from '../engines/whatsapp/caches.ts';
import { type Library, SILENT } from '../engines/whatsapp/library.ts';
import { inTransaction } from './database.ts';
import type { Disk } from './disk.ts';
import { CREDENTIALS, type KeyTable, USED } from './tables.ts';

/** Keys in memory: with the library's own lifetime, and as many as a busy session uses. */
const CACHE = { life: 5 * 60_000, most: 2_000 };

/** Fields that all credentials have; without one of them the library fails in obscure places. */
const PARTS = ['noiseKey', 'signedIdentityKey', 'signedPreKey', 'registrationId', 'advSecretKey'];

/** A key that could not be written yet; without a value it is to be deleted. */
interface Unwritten {
  readonly type: string;
  readonly id: string;
  readonly value: string | undefined;
}

/**
 * The credentials that make the gateway a device of one account, in the library's format. The library changes `creds`
 * in place and says when; each such change, and each set of keys, is one transaction. What cannot be written stays in
 * memory and is written with the next change.
 */
export class DeviceCredentials {
  readonly #numero: string;
  readonly #db: Database;
  readonly #table: KeyTable;
  readonly #library: Library;
  readonly #disk: Disk;
  readonly #creds: AuthenticationCreds;
  #dropped = false;
  /** Whether `creds` hold changes that could not be written. */
  #unsaved = false;
  /** By type and id. */
  readonly #unwritten = new Map<string, Unwritten>();
  #used: number;
  readonly auth: AuthenticationState;

  /** Throws a `StoreError` if stored credentials cannot be read. */
  constructor(numero: string, db: Database, table: KeyTable, library: Library, disk: Disk) {
    this.#numero = numero;
    this.#db = db;
    this.#table = table;
    this.#library = library;
    this.#disk = disk;
    this.#creds = disk.read('read-credentials', numero, () => this.#read()) ?? library.initAuthCreds();
    this.#used = disk.read('read-credentials', numero, () => Number(table.get(USED.type, USED.id) ?? 0));
    const keys: SignalKeyStore = {
      get: (type, ids) => disk.read('read-keys', numero, () => this.#get(type, ids)),
      set: (data) => this.#set(data),
    };
    const cache = new KeyCache(CACHE.life, CACHE.most);
    this.auth = { creds: this.#creds, keys: library.makeCacheableSignalKeyStore(keys, SILENT, cache) };
  }

  /** The digits of the linked phone; undefined while none is linked. */
  get phone(): string | undefined {
    const { me } = this.#creds;
    return me && this.#library.jidDecode(me.id)?.user;
  }

  /** When the session was last used to send, in milliseconds since 1970; 0 for never. */
  get used(): number {
    return this.#used;
  }

  /** Writes `creds`. Throws a `StoreError` if that fails. */
  save(): void {
    if (this.#dropped) return;
    // The library accepts a pairing without an account, and a login without a pairing.
    if (this.phone === undefined) delete this.#creds.me;
    this.#unsaved = true;
    this.#write();
  }

  /**
   * Writes that the session is used to send, and what is pending. Throws a `StoreError` if the disk takes no writes: if
   * the keys that a message changes were lost, no later message could be read after a restart.
   */
  checkWritable(): void {
    if (this.#dropped) return;
    // SQLite skips a write that changes nothing.
    this.#used = Math.max(Date.now(), this.#used + 1);
    this.#keep({ ...USED, value: String(this.#used) });
    this.#write();
  }

  /** Stops all writes, because the credentials were erased or the store is closed. */
  drop(): void {
    this.#dropped = true;
  }

  #read(): AuthenticationCreds | undefined {
    const text = this.#table.get(CREDENTIALS.type, CREDENTIALS.id);
    if (text === undefined) return undefined;
    const creds: unknown = this.#decode(text);
    if (!isComplete(creds)) throw new TypeError('Incomplete credentials');
    return creds;
  }

  #get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
    const found: { [id: string]: SignalDataTypeMap[T] } = {};
    if (this.#dropped) return found;
    for (const id of ids) {
      const unwritten = this.#unwritten.get(nameOf(type, id));
      const text = unwritten ? unwritten.value : this.#table.get(type, id);
      if (text === undefined) continue;
      const value = this.#decode(text);
      // For these the library expects its own class, with bytes where JSON has text.
      found[id] =
        type === 'app-state-sync-key'
          ? this.#library.proto.Message.AppStateSyncKeyData.fromObject(value)
          : value;
    }
    return found;
  }

  #set(data: SignalDataSet): void {
    if (this.#dropped) return;
    this.#write(() => {
      for (const key of this.#encodeAll(data)) this.#keep(key);
    });
  }

  #keep(key: Unwritten): void {
    this.#unwritten.set(nameOf(key.type, key.id), key);
  }

  #encodeAll(data: SignalDataSet): Unwritten[] {
    return Object.entries(data).flatMap(([type, entries]) =>
      Object.entries(entries).map(([id, value]) => ({
        type,
        id,
        value: value ? this.#encode(value) : undefined,
      })),
    );
  }

  /** Writes what is pending, after `prepare` has added to it. */
  #write(prepare = () => {}): void {
    this.#disk.write('write-keys', this.#numero, () => {
      prepare();
      inTransaction(this.#db, () => {
        for (const { type, id, value } of this.#unwritten.values()) {
          if (value === undefined) this.#table.delete(type, id);
          else this.#table.put(type, id, value);
        }
        if (this.#unsaved) this.#table.put(CREDENTIALS.type, CREDENTIALS.id, this.#encode(this.#creds));
      });
    });
    this.#unwritten.clear();
    this.#unsaved = false;
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
