import type { WireHistoryEntry } from '../../../../src/wire.ts';
import { type DiskTask, NotOwnerError } from '../../sessions/errors.ts';
import { numeroKey } from '../../sessions/numbers.ts';
import {
  type Archive,
  entryId,
  entryRow,
  HISTORY,
  KEPT,
  LINK,
  linkRow,
  type NewEntry,
  PROFILE,
  PRUNE_EVERY,
  type Profile,
  readEntry,
  type StoredLink,
} from '../archive.ts';
import type { Cipher } from '../cipher.ts';
import type { Disk } from '../disk.ts';
import type { Membership } from './membership.ts';
import { repeated } from './repeat.ts';

/** The part of a carried session's archive that is in memory. */
export interface Remembered {
  /** Its row's place: a session that was deleted and created again has another one. */
  readonly place: number;
  profile: Profile;
  link: StoredLink | undefined;
  /** Entries until old ones are removed. */
  left: number;
}

/** The parts of its store that the archive needs. */
interface Parts {
  readonly disk: Disk;
  readonly cipher: Cipher;
  /** The membership of this process; undefined while it may write nothing. */
  readonly current: () => Membership | undefined;
  readonly remembered: (numero: string) => Remembered | undefined;
  /** Operator log: one sentence per call. */
  readonly print: (sentence: string) => void;
  /**
   * Runs a statement that returns a row if the session is this process's, and writes only then. Rejects with a
   * `NotOwnerError` otherwise.
   */
  readonly write: (
    numero: string,
    statement: (own: Membership, session: string) => PromiseLike<readonly unknown[]>,
  ) => Promise<void>;
}

/** The archives of the sessions that this process owns in a shared PostgreSQL. */
export class PostgresArchive implements Archive {
  readonly #parts: Parts;
  /** The links to look for next. */
  readonly #hashes = new Set<string>();
  #lookup: Promise<unknown> = Promise.resolve();
  #nextLookup: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  profile(numero: string): Profile {
    return this.#parts.remembered(numero)?.profile ?? {};
  }

  async describe(numero: string, profile: Profile): Promise<void> {
    const { type, id } = PROFILE;
    const value = this.#seal(numero, { type, id, value: JSON.stringify(profile) });
    await this.#parts.write(
      numero,
      ({ sql, id: owner }, session) => sql`
        INSERT INTO archive (session, type, id, value)
        SELECT id, ${type}, ${id}, ${value} FROM session WHERE id = ${session} AND owner = ${owner} FOR SHARE
        ON CONFLICT (session, type, id) DO UPDATE SET value = excluded.value RETURNING 1`,
    );
    const remembered = this.#parts.remembered(numero);
    if (remembered) remembered.profile = profile;
  }

  async record(entries: readonly NewEntry[]): Promise<void> {
    const { disk } = this.#parts;
    const [first] = entries;
    if (!first) return;
    const rows = entries.flatMap(({ numero, entry }) => {
      const { place } = this.#parts.remembered(numero) ?? {};
      const row = entryRow(entry);
      if (place === undefined) return [];
      return {
        session: numeroKey(numero),
        place,
        type: row.type,
        id: row.id,
        value: this.#seal(numero, row),
      };
    });
    await disk.writeLater('write-archive', first.numero, () =>
      repeated(async () => {
        const own = this.#parts.current();
        if (!own) return;
        await own.sql`
          INSERT INTO archive (session, type, id, value)
          SELECT session.id, entry.type, entry.id, entry.value
          FROM json_to_recordset(${JSON.stringify(rows)}::text::json)
            AS entry (session text, place bigint, type text, id text, value text)
          JOIN session ON session.id = entry.session AND session.place = entry.place AND session.owner = ${own.id}
          ON CONFLICT DO NOTHING`;
      }),
    );
    const due = this.#due(entries);
    if (due.length > 0) await disk.writeLater('write-archive', first.numero, () => this.#prune(due));
  }

  async history(numero: string, limit: number, before?: number): Promise<WireHistoryEntry[]> {
    const end = entryId(before ?? Number.MAX_SAFE_INTEGER);
    return this.#parts.disk.readLater('read-archive', numero, () =>
      repeated(async () => {
        const { sql } = this.#own('read-archive', numero);
        const rows = await sql<{ id: string; value: string }>`
          SELECT id, value FROM archive
          WHERE session = ${numeroKey(numero)} AND type = ${HISTORY} AND id < ${end}
          ORDER BY id DESC LIMIT ${limit}`;
        const entries = rows.flatMap(({ id, value }) => this.#readable(numero, id, value) ?? []);
        const odd = rows.length - entries.length;
        if (odd > 0)
          this.#parts.print(`Entries of the history of ${numero} cannot be read, and are left out: ${odd}.`);
        return entries;
      }),
    );
  }

  /** Returns an entry; undefined if it is damaged, since the others are useful without it. */
  #readable(numero: string, id: string, value: string): WireHistoryEntry | undefined {
    try {
      return readEntry(this.#parts.cipher.open(value, [numero, HISTORY, id]));
    } catch {
      return undefined;
    }
  }

  link(numero: string): StoredLink | undefined {
    return this.#parts.remembered(numero)?.link;
  }

  async setLink(numero: string, link: StoredLink | undefined): Promise<void> {
    const row = link && linkRow(link);
    const value = row ? this.#seal(numero, row) : '';
    await this.#parts.write(
      numero,
      ({ sql, id: owner }, session) => sql`
        WITH mine AS (SELECT id FROM session WHERE id = ${session} AND owner = ${owner} FOR SHARE),
        gone AS (
          DELETE FROM archive USING mine
          WHERE archive.session = mine.id AND archive.type = ${LINK} AND archive.id <> ${row?.id ?? ''}
        ), written AS (
          INSERT INTO archive (session, type, id, value)
          SELECT id, ${LINK}, ${row?.id ?? ''}, ${value} FROM mine WHERE ${row !== undefined}
          ON CONFLICT (session, type, id) DO UPDATE SET value = excluded.value
        )
        SELECT 1 FROM mine`,
    );
    const remembered = this.#parts.remembered(numero);
    if (remembered) remembered.link = link;
  }

  /** Returns the numero of the session with this link, whoever carries it. Rejects with a `StoreError`. */
  async linked(hash: string): Promise<string | undefined> {
    this.#hashes.add(hash);
    // One statement at a time, against guessed tokens: later requests go with the next statement.
    this.#nextLookup ??= this.#lookup.then(() => this.#lookUp());
    return (await this.#nextLookup).get(hash);
  }

  #lookUp(): Promise<ReadonlyMap<string, string>> {
    const hashes = [...this.#hashes];
    this.#hashes.clear();
    this.#nextLookup = undefined;
    const lookup = this.#parts.disk.readLater('read-links', '', () =>
      repeated(async () => {
        const { sql } = this.#own('read-links', '');
        const rows = await sql<{ hash: string; numero: string }>`
          SELECT archive.id AS hash, session.numero FROM archive JOIN session ON session.id = archive.session
          WHERE archive.type = ${LINK} AND archive.id = ANY (${hashes})`;
        return new Map(rows.map((row) => [row.hash, row.numero]));
      }),
    );
    this.#lookup = lookup.catch(() => {});
    return lookup;
  }

  /** Returns this process's membership. Throws a `NotOwnerError` without one: data that it cannot read may exist. */
  #own(task: DiskTask, numero: string): Membership {
    const own = this.#parts.current();
    if (!own) throw new NotOwnerError(task, numero);
    return own;
  }

  /** It was removed with the session. */
  forget(): void {}

  /** Counts entries. Returns the sessions that have enough new ones to be pruned again. */
  #due(entries: readonly NewEntry[]): string[] {
    return entries.flatMap(({ numero }) => {
      const remembered = this.#parts.remembered(numero);
      if (!remembered) return [];
      remembered.left -= 1;
      if (remembered.left >= 0) return [];
      remembered.left = PRUNE_EVERY;
      return numeroKey(numero);
    });
  }

  async #prune(sessions: readonly string[]): Promise<void> {
    const own = this.#parts.current();
    if (!own) return;
    const old = entryId(Date.now() - KEPT.time);
    await own.sql`
      WITH mine AS (SELECT id FROM session WHERE id = ANY (${[...sessions]}) AND owner = ${own.id} FOR SHARE),
      place AS (
        SELECT session, id, row_number() OVER (PARTITION BY session ORDER BY id DESC) AS newer
        FROM archive WHERE session IN (SELECT id FROM mine) AND type = ${HISTORY}
      )
      DELETE FROM archive USING place
      WHERE archive.session = place.session AND archive.type = ${HISTORY} AND archive.id = place.id
      AND (place.newer > ${KEPT.entries} OR place.newer > ${KEPT.always} AND place.id < ${old})`;
  }

  #seal(numero: string, { type, id, value }: { type: string; id: string; value: string }): string {
    return this.#parts.cipher.seal(value, [numero, type, id]);
  }
}
