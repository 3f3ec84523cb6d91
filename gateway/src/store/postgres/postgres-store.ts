import { STATES } from '../../../../src/wire.ts';
import { sealNotice } from '../../cluster/notices.ts';
import { CHANNEL } from '../../ledger/session-rows.ts';
import { type DiskTask, NotOwnerError, StoreError } from '../../sessions/errors.ts';
import { numeroKey } from '../../sessions/numbers.ts';
import { LINK, PROFILE, readLink, readProfile } from '../archive.ts';
import type { Cipher } from '../cipher.ts';
import { Disk, type DiskObserver, reasonOf, unlessStoreFails } from '../disk.ts';
import {
  CREDENTIALS,
  type KeyChange,
  type SessionKeys,
  type SessionStore,
  type StoredKey,
  type StoredSession,
  USED,
} from '../session-store.ts';
import type { Membership } from './membership.ts';
import { PostgresArchive, type Remembered } from './postgres-archive.ts';
import { repeated } from './repeat.ts';

/** A session, and the place of its row. */
interface PlacedSession extends StoredSession {
  readonly place: number;
}

/** A session that this process carries. */
interface Carried {
  readonly numero: string;
  /** The id of its row in `session`. */
  readonly id: string;
  leaving: boolean;
  /** The values that are needed before the first connection, as stored in the database, by type. */
  readonly first: Map<string, string>;
  readonly remembered: Remembered;
  /** Whether its keys are void, but could not be erased yet. */
  isVoid: boolean;
  /** Settles when the last statement has. */
  free: Promise<unknown>;
}

/** The code of a row whose owner has no row: others have declared this process dead. */
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * The sessions that this process owns in a PostgreSQL which gateways share. Every write requires the session's row with
 * this process as its owner: once another process owns it, writes have no effect. One statement at a time is under way
 * for each session.
 */
export class PostgresStore implements SessionStore {
  readonly archive: PostgresArchive;
  readonly #current: () => Membership | undefined;
  readonly #cipher: Cipher;
  readonly #lost: (numero: string) => void;
  readonly #disk: Disk;
  readonly #carried = new Map<string, Carried>();
  #open = true;

  /**
   * @param current the membership of this process; undefined while it may write nothing
   * @param print operator log: one sentence per call
   * @param lost called when a session turns out to be another process's
   */
  constructor(
    current: () => Membership | undefined,
    cipher: Cipher,
    print: (sentence: string) => void,
    lost: (numero: string) => void,
    onDiskTask?: DiskObserver,
  ) {
    this.#current = current;
    this.#cipher = cipher;
    this.#lost = lost;
    this.#disk = new Disk(print, onDiskTask, 'database');
    this.archive = new PostgresArchive({
      disk: this.#disk,
      cipher,
      current,
      print,
      remembered: (numero) => this.#carried.get(numero)?.remembered,
      write: async (numero, statement) => {
        const carried = this.#carried.get(numero);
        if (!carried) throw new NotOwnerError('write-archive', numero);
        await this.#write(carried, 'write-archive', (own) => statement(own, carried.id));
      },
    });
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Carries sessions that this process has just claimed. Rejects with PostgreSQL's error. */
  async take(rows: readonly PlacedSession[]): Promise<void> {
    const member = this.#current();
    if (!member || !this.#open || rows.length === 0) return;
    const taken = new Map(rows.map((row) => [numeroKey(row.numero), row]));
    const values = await member.sql<{ session: string; type: string; value: string }>`
      SELECT session, type, value FROM key
      WHERE session = ANY (${[...taken.keys()]}) AND id = '' AND type IN (${CREDENTIALS.type}, ${USED.type})`;
    const bySession = new Map<string, Map<string, string>>();
    for (const { session, type, value } of values) {
      bySession.set(session, (bySession.get(session) ?? new Map<string, string>()).set(type, value));
    }
    const kept = await member.sql<{ session: string; type: string; id: string; value: string }>`
      SELECT session, type, id, value FROM archive
      WHERE session = ANY (${[...taken.keys()]}) AND type IN (${PROFILE.type}, ${LINK})`;
    for (const [id, { place, ...session }] of taken) {
      const first = bySession.get(id) ?? new Map<string, string>();
      this.#carry({ ...session, id, first }, place);
    }
    for (const { session, ...row } of kept) {
      const numero = taken.get(session)?.numero ?? '';
      // It can be carried even without its names.
      unlessStoreFails(() => this.#disk.read('read-archive', numero, () => this.#remember(numero, row)));
    }
  }

  /** Forgets a session that is no longer this process's: nothing more is written to it. */
  drop(numero: string): void {
    this.#carried.delete(numero);
  }

  dropAll(): void {
    this.#carried.clear();
  }

  sessions(): StoredSession[] {
    return [...this.#carried.values()].map(({ numero, leaving }) => ({ numero, leaving }));
  }

  has(numero: string): boolean {
    return this.#carried.has(numero);
  }

  async add(numero: string): Promise<void> {
    const known = this.#carried.get(numero);
    if (known) {
      if (known.isVoid) await this.#write(known, 'erase', (own) => this.#eraseVoid(own, known));
      if (!known.leaving) return;
      await this.#write(known, 'start', (own) => this.#mark(own, known, false));
      return;
    }
    const id = numeroKey(numero);
    await this.#disk.writeLater('start', numero, () =>
      repeated(async () => {
        const own = this.#member('start', numero);
        const notice = sealNotice(own.cipher, { type: 'rows', numero });
        const rows = await own.sql<{ isNew: boolean; place: string }>`
        WITH added AS (
          INSERT INTO session (id, numero, owner, state, waiting)
          VALUES (${id}, ${numero}, ${own.id}, ${STATES.disconnected}, false)
          ON CONFLICT DO NOTHING RETURNING place
        ), back AS (
          UPDATE session SET leaving = false WHERE id = ${id} AND owner = ${own.id} AND leaving RETURNING 1
        )
        SELECT true AS "isNew", place, pg_notify(${CHANNEL}, ${notice})::text FROM added
        UNION ALL SELECT false, place, NULL FROM session WHERE id = ${id} AND owner = ${own.id}`.catch(
          (error: unknown) => {
            throw reasonOf(error) === FOREIGN_KEY_VIOLATION ? new NotOwnerError('start', numero) : error;
          },
        );
        const [row] = rows;
        if (!row || this.#current()?.id !== own.id) throw new NotOwnerError('start', numero);
        const place = Number(row.place);
        if (row.isNew) this.#carry({ numero, id, leaving: false, first: new Map() }, place);
        else await this.take([{ numero, leaving: false, place }]);
      }),
    );
  }

  keys(numero: string): SessionKeys {
    const carried = this.#carried.get(numero);
    if (!carried) throw new NotOwnerError('read-credentials', numero);
    const place = (type: string, id: string) => [carried.numero, type, id];
    return {
      first: ({ type, id }) =>
        this.#disk.read('read-credentials', numero, () => {
          const sealed = carried.first.get(type);
          return sealed === undefined ? undefined : this.#cipher.open(sealed, place(type, id));
        }),
      get: (type, ids) =>
        this.#inTurn(carried, () =>
          this.#disk.readLater('read-keys', numero, () =>
            repeated(async () => {
              const { sql } = this.#member('read-keys', numero, carried);
              if (carried.isVoid || ids.length === 0) return new Map();
              const rows = await sql<{ id: string; value: string }>`
              SELECT id, value FROM key
              WHERE session = ${carried.id} AND type = ${type} AND id = ANY (${[...ids]})`;
              return new Map(rows.map(({ id, value }) => [id, this.#cipher.open(value, place(type, id))]));
            }),
          ),
        ),
      write: async (changes) => {
        if (carried.isVoid) await this.#write(carried, 'erase', (own) => this.#eraseVoid(own, carried));
        await this.#write(carried, 'write-keys', (own) => this.#put(own, carried, changes));
      },
    };
  }

  async leave(numero: string): Promise<void> {
    const carried = this.#carried.get(numero);
    if (carried) await this.#write(carried, 'delete', (own) => this.#mark(own, carried, true));
  }

  async erase(numero: string): Promise<void> {
    const carried = this.#carried.get(numero);
    if (!carried) return;
    carried.first.clear();
    carried.isVoid = true;
    try {
      await this.#write(carried, 'erase', (own) => this.#eraseVoid(own, carried));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  async remove(numero: string): Promise<void> {
    const carried = this.#carried.get(numero);
    if (!carried) return;
    await this.#write(
      carried,
      'erase',
      ({ sql, id: owner, cipher }) => sql`
        WITH mine AS (DELETE FROM session WHERE id = ${carried.id} AND owner = ${owner} RETURNING 1)
        SELECT pg_notify(${CHANNEL}, ${sealNotice(cipher, { type: 'rows', numero })})::text FROM mine
        UNION ALL SELECT 'removed before' WHERE NOT EXISTS (SELECT 1 FROM session WHERE id = ${carried.id})`,
    );
    if (this.#carried.get(numero) === carried) this.#carried.delete(numero);
  }

  async confirm(numero: string): Promise<boolean> {
    const carried = this.#carried.get(numero);
    if (!carried) return false;
    try {
      await this.#inTurn(carried, () =>
        this.#disk.readLater('read-credentials', numero, () =>
          repeated(async () => {
            const own = this.#member('read-credentials', numero, carried);
            const rows = await own.sql`SELECT 1 FROM session WHERE id = ${carried.id} AND owner = ${own.id}`;
            if (rows.length === 0) throw this.#notOwner('read-credentials', carried);
            this.#member('read-credentials', numero, carried);
          }),
        ),
      );
      return true;
    } catch (error) {
      if (error instanceof NotOwnerError) return false;
      throw error;
    }
  }

  /** Resolves when no statement is under way. The connections, which do not belong to the store, stay open. */
  async close(): Promise<void> {
    this.#open = false;
    const busy = [...this.#carried.values()].map(({ free }) => free);
    this.#carried.clear();
    await Promise.all(busy);
  }

  #carry(session: Omit<Carried, 'remembered' | 'isVoid' | 'free'>, place: number): void {
    // The first entries of a process may follow many of another: they are pruned at once.
    const remembered = { place, profile: {}, link: undefined, left: 0 };
    this.#carried.set(session.numero, { ...session, remembered, isVoid: false, free: Promise.resolve() });
  }

  #remember(numero: string, { type, id, value }: StoredKey): void {
    const remembered = this.#carried.get(numero)?.remembered;
    if (!remembered) return;
    const text = this.#cipher.open(value, [numero, type, id]);
    if (type === LINK) remembered.link = readLink(id, text);
    else remembered.profile = readProfile(text);
  }

  /**
   * Runs a statement that returns a row if the session is this process's, and writes only then; again if its outcome is
   * not known. Rejects with a {@link NotOwnerError} otherwise.
   */
  #write(
    carried: Carried,
    task: DiskTask,
    statement: (own: Membership) => PromiseLike<readonly unknown[]>,
  ): Promise<void> {
    const { numero } = carried;
    return this.#inTurn(carried, () =>
      this.#disk.writeLater(task, numero, () =>
        repeated(async () => {
          const rows = await statement(this.#member(task, numero, carried));
          if (rows.length === 0) throw this.#notOwner(task, carried);
        }),
      ),
    );
  }

  async #put(own: Membership, carried: Carried, changes: readonly KeyChange[]): Promise<readonly unknown[]> {
    const { sql, id: owner } = own;
    const sealed = changes.map(({ type, id, value }) => ({
      type,
      id,
      value: value === undefined ? null : this.#cipher.seal(value, [carried.numero, type, id]),
    }));
    const rows = await sql`
      WITH mine AS (SELECT id FROM session WHERE id = ${carried.id} AND owner = ${owner} FOR SHARE),
      change AS (
        SELECT type, id, value FROM json_to_recordset(${JSON.stringify(sealed)}::text::json)
          AS change (type text, id text, value text)
      ), deleted AS (
        DELETE FROM key USING mine, change
        WHERE key.session = mine.id AND key.type = change.type AND key.id = change.id AND change.value IS NULL
      ), written AS (
        INSERT INTO key (session, type, id, value)
        SELECT mine.id, change.type, change.id, change.value FROM mine, change WHERE change.value IS NOT NULL
        ON CONFLICT (session, type, id) DO UPDATE SET value = excluded.value
      )
      SELECT 1 FROM mine`;
    if (rows.length > 0) {
      for (const { type, id, value } of sealed) {
        if (id === '' && value !== null && !carried.isVoid) carried.first.set(type, value);
      }
    }
    return rows;
  }

  async #eraseVoid({ sql, id: owner }: Membership, carried: Carried): Promise<readonly unknown[]> {
    const rows = await sql`
      WITH mine AS (SELECT id FROM session WHERE id = ${carried.id} AND owner = ${owner} FOR SHARE),
      erased AS (DELETE FROM key USING mine WHERE key.session = mine.id)
      SELECT 1 FROM mine`;
    carried.isVoid = false;
    return rows;
  }

  async #mark(
    { sql, id: owner }: Membership,
    carried: Carried,
    leaving: boolean,
  ): Promise<readonly unknown[]> {
    const rows = await sql`
      UPDATE session SET leaving = ${leaving} WHERE id = ${carried.id} AND owner = ${owner} RETURNING 1`;
    carried.leaving = leaving;
    return rows;
  }

  /**
   * Returns this process's membership. Throws a {@link NotOwnerError} if it may not write, or no longer carries the
   * session.
   */
  #member(task: DiskTask, numero: string, carried?: Carried): Membership {
    const own = this.#current();
    const isCarried = carried === undefined || this.#carried.get(numero) === carried;
    if (!own || !this.#open || !isCarried) throw new NotOwnerError(task, numero);
    return own;
  }

  #notOwner(task: DiskTask, carried: Carried): NotOwnerError {
    const { numero } = carried;
    // It may have been deleted and created again meanwhile.
    if (this.#carried.get(numero) === carried) {
      this.#carried.delete(numero);
      this.#lost(numero);
    }
    return new NotOwnerError(task, numero);
  }

  #inTurn<T>(carried: Carried, task: () => Promise<T>): Promise<T> {
    const done = carried.free.then(task);
    carried.free = done.catch(() => {});
    return done;
  }
}
