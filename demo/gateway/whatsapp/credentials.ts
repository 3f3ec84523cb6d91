import type {
  AuthenticationCreds,
  AuthenticationState,
  SignalDataSet,
  SignalDataTypeMap,
  SignalKeyStore,
} from '@whiskeysockets/baileys';
import type { Database } from 'libsql';
import { inTransaction } from './database.ts';
import type { Disk } from './disk.ts';
import { ExpiringCache } from './expiring-cache.ts';
import { type Library, SILENT } from './library.ts';
import { CREDENTIALS, type KeyTable } from './tables.ts';

/** Keys in memory: for as long as the library would keep them, and as many as a busy session uses. */
const CACHE = { life: 5 * 60_000, most: 2_000 };

/** What no credentials lack; without one of them the library breaks where nobody can tell why. */
const PARTS = ['noiseKey', 'signedIdentityKey', 'signedPreKey', 'registrationId', 'advSecretKey'];

/** Is written for nothing but to see whether the disk takes it. */
const PROOF = { type: 'proof', id: '' };

/** A key that the disk has not taken yet; without a value it is to be deleted. */
interface Unwritten {
  readonly type: string;
  readonly id: string;
  readonly value: string | undefined;
}

/**
 * What makes the gateway a device of one account, in the form that the library wants. The library changes
 * `creds` in place and says when; each such change, and each set of keys, is one transaction. What the disk does not
 * take is kept in memory, and goes with what it takes next.
 */
export class Credentials {
  readonly #numero: string;
  readonly #db: Database;
  readonly #table: KeyTable;
  readonly #library: Library;
  readonly #disk: Disk;
  readonly #creds: AuthenticationCreds;
  #dropped = false;
  /** Whether `creds` are ahead of the disk, which did not take them. */
  #unsaved = false;
  /** By type and id. */
  readonly #unwritten = new Map<string, Unwritten>();
  #proof: string;
  readonly auth: AuthenticationState;

  /** Throws a `StoreError` when there are some that cannot be read. */
  constructor(numero: string, db: Database, table: KeyTable, library: Library, disk: Disk) {
    this.#numero = numero;
    this.#db = db;
    this.#table = table;
    this.#library = library;
    this.#disk = disk;
    this.#creds = disk.read('read-credentials', numero, () => this.#read()) ?? library.initAuthCreds();
    this.#proof = disk.read('read-credentials', numero, () => table.get(PROOF.type, PROOF.id)) ?? '0';
    const keys: SignalKeyStore = {
      get: (type, ids) => disk.read('read-keys', numero, () => this.#get(type, ids)),
      set: (data) => this.#set(data),
    };
    const cache = new ExpiringCache(CACHE.life, CACHE.most);
    this.auth = { creds: this.#creds, keys: library.makeCacheableSignalKeyStore(keys, SILENT, cache) };
  }

  /** The digits of the phone that is linked; undefined as long as none is. */
  get phone(): string | undefined {
    const { me } = this.#creds;
    return me && this.#library.jidDecode(me.id)?.user;
  }

  /** Writes `creds` as they are now. Throws when the disk does not take them. */
  save(): void {
    if (this.#dropped) return;
    // The library takes a pairing without an account, or a login without a pairing, for true.
    if (this.phone === undefined) delete this.#creds.me;
    this.#unsaved = true;
    this.#write();
  }

  /**
   * Throws unless everything is on the disk, and it takes more: without the keys that a message changes nobody
   * could read those that follow the gateway's next start.
   */
  prove(): void {
    if (this.#dropped) return;
    // SQLite writes nothing that is the same as before.
    this.#proof = this.#proof === '0' ? '1' : '0';
    this.#keep({ ...PROOF, value: this.#proof });
    this.#write();
  }

  /** From here on nothing is written: they were erased, or the store is closed. */
  drop(): void {
    this.#dropped = true;
  }

  #read(): AuthenticationCreds | undefined {
    const text = this.#table.get(CREDENTIALS.type, CREDENTIALS.id);
    if (text === undefined) return undefined;
    const creds: unknown = this.#decode(text);
    if (!isWhole(creds)) throw new TypeError('These are no credentials');
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
      // The library wants its own class back for these, with bytes where JSON has text.
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

  /** Writes what the disk has not taken yet, after `prepare` has added to it. */
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

function isWhole(creds: unknown): creds is AuthenticationCreds {
  if (typeof creds !== 'object' || creds === null) return false;
  return PARTS.every((part) => part in creds) && (!('me' in creds) || hasId(creds.me));
}

function hasId(me: unknown): boolean {
  return typeof me === 'object' && me !== null && 'id' in me && typeof me.id === 'string';
}
