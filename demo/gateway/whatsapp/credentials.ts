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

/** Keys in memory: for as long as the library would keep them, and as many as a busy session uses. */
const CACHE = { life: 5 * 60_000, most: 2_000 };

/** What no credentials lack; without one of them the library breaks where nobody can tell why. */
const PARTS = ['noiseKey', 'signedIdentityKey', 'signedPreKey', 'registrationId', 'advSecretKey'];

/**
 * What makes the gateway a device of one account, in the form that the library wants. The library changes
 * `creds` in place and says when; each such change, and each set of keys, is one transaction.
 */
export class Credentials {
  readonly #numero: string;
  readonly #db: Database;
  readonly #library: Library;
  readonly #disk: Disk;
  readonly #creds: AuthenticationCreds;
  #dropped = false;
  /** Whether `creds` are ahead of the disk, which did not take them. */
  #unsaved = false;
  readonly auth: AuthenticationState;

  /** Throws a `StoreError` when there are some that cannot be read. */
  constructor(numero: string, db: Database, library: Library, disk: Disk) {
    this.#numero = numero;
    this.#db = db;
    this.#library = library;
    this.#disk = disk;
    this.#creds =
      disk.read(`The keys of ${numero} cannot be read: it must be deleted and linked again`, () =>
        this.#read(),
      ) ?? library.initAuthCreds();
    const keys: SignalKeyStore = {
      get: (type, ids) =>
        disk.read(`Keys for the messages of ${numero} cannot be read`, () => this.#get(type, ids)),
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

  /** Writes `creds` as they are now. Throws when the disk does not take them; then they go with what it takes next. */
  save(): void {
    if (this.#dropped) return;
    // The library takes a pairing without an account, or a login without a pairing, for true.
    if (this.phone === undefined) delete this.#creds.me;
    this.#unsaved = true;
    this.#write(() => this.#putCreds());
  }

  /** From here on nothing is written: they were erased, or the store is closed. */
  drop(): void {
    this.#dropped = true;
  }

  #read(): AuthenticationCreds | undefined {
    const row = this.#db.prepare('SELECT creds FROM session WHERE numero = ?').get(this.#numero);
    const text = typeof row === 'object' && row !== null && 'creds' in row ? row.creds : undefined;
    if (typeof text !== 'string') return undefined;
    const creds: unknown = this.#decode(text);
    if (!isWhole(creds)) throw new TypeError('These are no credentials');
    return creds;
  }

  #get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
    const found: { [id: string]: SignalDataTypeMap[T] } = {};
    if (this.#dropped) return found;
    const statement = this.#db.prepare('SELECT value FROM key WHERE numero = ? AND type = ? AND id = ?');
    for (const id of ids) {
      const row = statement.get(this.#numero, type, id);
      if (typeof row !== 'object' || row === null || !('value' in row)) continue;
      const value = this.#decode(String(row.value));
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
    this.#write(() =>
      inTransaction(this.#db, () => {
        this.#setAll(data);
        if (this.#unsaved) this.#putCreds();
      }),
    );
  }

  #setAll(data: SignalDataSet): void {
    const put = this.#db.prepare(
      `INSERT INTO key (numero, type, id, value) VALUES (?, ?, ?, ?)
       ON CONFLICT (numero, type, id) DO UPDATE SET value = excluded.value`,
    );
    const remove = this.#db.prepare('DELETE FROM key WHERE numero = ? AND type = ? AND id = ?');
    for (const [type, entries] of Object.entries(data)) {
      for (const [id, value] of Object.entries(entries)) {
        if (value) put.run(this.#numero, type, id, this.#encode(value));
        else remove.run(this.#numero, type, id);
      }
    }
  }

  #putCreds(): void {
    const update = 'UPDATE session SET creds = ? WHERE numero = ?';
    this.#db.prepare(update).run(this.#encode(this.#creds), this.#numero);
  }

  #write(task: () => void): void {
    this.#disk.write(`The keys of ${this.#numero} could not be written to the disk`, task);
    this.#unsaved = false;
  }

  #encode(value: unknown): string {
    return JSON.stringify(value, this.#library.BufferJSON.replacer);
  }

  #decode(text: string) {
    return JSON.parse(text, this.#library.BufferJSON.reviver);
  }
}

function isWhole(creds: unknown): creds is AuthenticationCreds {
  if (typeof creds !== 'object' || creds === null) return false;
  return PARTS.every((part) => part in creds) && (!('me' in creds) || hasId(creds.me));
}

function hasId(me: unknown): boolean {
  return typeof me === 'object' && me !== null && 'id' in me && typeof me.id === 'string';
}
