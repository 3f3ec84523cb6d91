import type {
  AuthenticationCreds,
  AuthenticationState,
  SignalDataSet,
  SignalDataTypeMap,
  SignalKeyStore,
} from '@whiskeysockets/baileys';
import type { Database } from 'libsql';
import { ExpiringCache } from './expiring-cache.ts';
import { type Library, SILENT } from './library.ts';

/** Keys in memory: for as long as the library would keep them, and as many as a busy session uses. */
const CACHE = { life: 5 * 60_000, most: 2_000 };

/**
 * What makes the gateway a device of one account, in the form that the library wants. The library changes
 * `creds` in place and says when; each such change, and each set of keys, is one transaction.
 */
export class Credentials {
  readonly #numero: string;
  readonly #db: Database;
  readonly #library: Library;
  readonly #writeFailed: (error: unknown) => void;
  readonly #creds: AuthenticationCreds;
  #dropped = false;
  readonly auth: AuthenticationState;

  /** @param writeFailed hears of each write that the disk did not take, of which the library makes little */
  constructor(numero: string, db: Database, library: Library, writeFailed: (error: unknown) => void) {
    this.#numero = numero;
    this.#db = db;
    this.#library = library;
    this.#writeFailed = writeFailed;
    this.#creds = this.#read() ?? library.initAuthCreds();
    const keys: SignalKeyStore = {
      get: (type, ids) => this.#get(type, ids),
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

  /** Writes `creds` as they are now. */
  save(): void {
    const update = 'UPDATE session SET creds = ? WHERE numero = ?';
    this.#write(() => this.#db.prepare(update).run(this.#encode(this.#creds), this.#numero));
  }

  /** From here on nothing is written: they were erased, or the store is closed. */
  drop(): void {
    this.#dropped = true;
  }

  #read(): AuthenticationCreds | undefined {
    const row = this.#db.prepare('SELECT creds FROM session WHERE numero = ?').get(this.#numero);
    const text = typeof row === 'object' && row !== null && 'creds' in row ? row.creds : undefined;
    return typeof text === 'string' ? this.#decode(text) : undefined;
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
    this.#write(() => this.#db.transaction(() => this.#setAll(data))());
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

  #write(task: () => unknown): void {
    if (this.#dropped) return;
    try {
      task();
    } catch (error) {
      this.#writeFailed(error);
      throw error;
    }
  }

  #encode(value: unknown): string {
    return JSON.stringify(value, this.#library.BufferJSON.replacer);
  }

  #decode(text: string) {
    return JSON.parse(text, this.#library.BufferJSON.reviver);
  }
}
