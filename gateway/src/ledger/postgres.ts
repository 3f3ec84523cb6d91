import { numeroKey } from '../numbers.ts';
import { HISTORY, KEPT, LINK, PARTS } from './archive.ts';
import { Name, type Sql } from './database.ts';
import type { ArchiveRow, Claim, Driver } from './driver.ts';
import { reasonOf } from './operations.ts';
import {
  type Change,
  type ConfirmedVersion,
  CREDENTIALS,
  type Row,
  type Table,
  type TakenSession,
  type Told,
  USED,
} from './row.ts';
import { CHANNEL, claim as claimRows, create, type Membership } from './session-rows.ts';

/** PostgreSQL's code for an owner without a row: others have declared this process dead. */
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Stores the rows in a PostgreSQL that gateways share. Every statement that changes a session requires its row with this
 * process as its owner and with the epoch of the claim: once another process owns it, or it was deleted and added again,
 * late statements have no effect.
 */
export class Postgres implements Driver {
  readonly #current: () => Membership | undefined;
  readonly #sql: () => Sql | undefined;
  readonly #written: () => Promise<void>;

  /**
   * @param current the membership of this process; undefined while it may write nothing to sessions
   * @param sql undefined while the database is closed
   * @param written resolves once the states so far are in the rows
   */
  constructor(
    current: () => Membership | undefined,
    sql = () => current()?.sql,
    written: () => Promise<void> = async () => {},
  ) {
    this.#current = current;
    this.#sql = sql;
    this.#written = written;
  }

  get isUsable(): boolean {
    return this.#current() !== undefined;
  }

  async load(claims: readonly Claim[]): Promise<void> {
    const { sql } = this.#own();
    const byId = new Map(claims.map((claim) => [idOf(claim), claim]));
    const ids = [...byId.keys()];
    const rows = await sql<Row & { session: string }>`
      SELECT session, type, id, value FROM key
      WHERE session = ANY (${ids}) AND id = '' AND type = ANY (${[CREDENTIALS.type, USED.type]})
      UNION ALL SELECT session, type, id, value FROM archive
      WHERE session = ANY (${ids}) AND type = ANY (${PARTS})`;
    for (const { session, ...row } of rows) byId.get(session)?.kept.set(row.type, row);
  }

  async add(numeros: readonly string[]): Promise<TakenSession[] | undefined> {
    const own = this.#own();
    const added: TakenSession[] = [];
    for (const numero of numeros) {
      const created = await create(own, numero).catch((error: unknown) => {
        if (reasonOf(error) === FOREIGN_KEY_VIOLATION) return [];
        throw error;
      });
      // It may be this process's without its knowing.
      added.push(...(created.length > 0 ? created : await claimRows(own, 0, [numeroKey(numero)])));
    }
    const areOurs = added.length === numeros.length && this.#current()?.id === own.id;
    return areOurs ? added : undefined;
  }

  keys(claim: Claim, type: string, ids: readonly string[]): Promise<Row[]> {
    const { sql } = this.#own();
    return sql<Row>`
      SELECT type, id, value FROM key
      WHERE session = ${idOf(claim)} AND type = ${type} AND id = ANY (${[...ids]})`;
  }

  async write(claim: Claim, table: Table, changes: readonly Change[]): Promise<boolean> {
    const { sql, id: owner } = this.#own();
    const name = new Name(table);
    const rows = await sql`
      WITH mine AS (
        SELECT id FROM session WHERE id = ${idOf(claim)} AND owner = ${owner} AND epoch = ${claim.epoch} FOR SHARE
      ), change AS (
        SELECT type, id, value FROM json_to_recordset(${JSON.stringify(changes)}::text::json)
          AS change (type text, id text, value text)
      ), deleted AS (
        DELETE FROM ${name} AS row USING mine, change
        WHERE row.session = mine.id AND row.type = change.type AND row.id = change.id AND change.value IS NULL
      ), written AS (
        INSERT INTO ${name} (session, type, id, value)
        SELECT mine.id, change.type, change.id, change.value FROM mine, change WHERE change.value IS NOT NULL
        ON CONFLICT (session, type, id) DO UPDATE SET value = excluded.value
      )
      SELECT 1 FROM mine`;
    return rows.length > 0;
  }

  async mark(claim: Claim, leaving: boolean, erased: readonly Table[]): Promise<boolean> {
    const { sql, id: owner } = this.#own();
    const rows = await sql`
      WITH mine AS (
        UPDATE session SET leaving = ${leaving}
        WHERE id = ${idOf(claim)} AND owner = ${owner} AND epoch = ${claim.epoch} RETURNING id
      ), keys AS (
        DELETE FROM key USING mine WHERE key.session = mine.id AND ${erased.includes('key')}
      ), archives AS (
        DELETE FROM archive USING mine WHERE archive.session = mine.id AND ${erased.includes('archive')}
      )
      SELECT 1 FROM mine`;
    return rows.length > 0;
  }

  async remove(claim: Claim): Promise<boolean> {
    // Only the last state tells other gateways who deletes the session.
    await this.#written();
    const own = this.#own();
    const rows = await own.sql`
      WITH mine AS (
        DELETE FROM session WHERE id = ${idOf(claim)} AND owner = ${own.id} AND epoch = ${claim.epoch} RETURNING 1
      )
      SELECT pg_notify(${CHANNEL}, ${own.rowNotice(claim.numero)})::text FROM mine
      UNION ALL SELECT 'removed before' WHERE NOT EXISTS (SELECT 1 FROM session WHERE id = ${idOf(claim)})`;
    return rows.length > 0;
  }

  async record(rows: readonly ArchiveRow[]): Promise<void> {
    const { sql, id: owner } = this.#own();
    const entries = rows.map(([claim, row]) => ({ session: idOf(claim), epoch: claim.epoch, ...row }));
    // The lock waits for a removal of a session, which would otherwise make the whole statement fail.
    await sql`
      WITH mine AS (
        SELECT session.id AS session, entry.type, entry.id, entry.value
        FROM json_to_recordset(${JSON.stringify(entries)}::text::json)
          AS entry (session text, epoch bigint, type text, id text, value text)
        JOIN session ON session.id = entry.session AND session.owner = ${owner} AND session.epoch = entry.epoch
        FOR KEY SHARE OF session
      )
      INSERT INTO archive (session, type, id, value) SELECT session, type, id, value FROM mine
      ON CONFLICT DO NOTHING`;
  }

  history(claim: Claim, before: string, limit: number): Promise<Row[]> {
    const { sql } = this.#own();
    return sql<Row>`
      SELECT type, id, value FROM archive
      WHERE session = ${idOf(claim)} AND type = ${HISTORY} AND id < ${before}
      ORDER BY id DESC LIMIT ${limit}`;
  }

  async prune(claims: readonly Claim[], old: string): Promise<void> {
    const { sql, id: owner } = this.#own();
    const epochs = claims.map(({ epoch }) => epoch);
    await sql`
      WITH mine AS (
        SELECT session.id FROM session JOIN unnest(${claims.map(idOf)}::text[], ${epochs}::bigint[])
          AS claim (id, epoch) USING (id, epoch)
        WHERE session.owner = ${owner}
      ), place AS (
        SELECT session, id, row_number() OVER (PARTITION BY session ORDER BY id DESC) AS newer
        FROM archive WHERE session IN (SELECT id FROM mine) AND type = ${HISTORY}
      )
      DELETE FROM archive USING place
      WHERE archive.session = place.session AND archive.type = ${HISTORY} AND archive.id = place.id
      AND (place.newer > ${KEPT.entries} OR place.newer > ${KEPT.always} AND place.id < ${old})`;
  }

  async linked(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { sql } = this.#own();
    const rows = await sql<{ hash: string; numero: string }>`
      SELECT archive.id AS hash, session.numero FROM archive JOIN session ON session.id = archive.session
      WHERE archive.type = ${LINK} AND archive.id = ANY (${[...hashes]})`;
    return new Map(rows.map((row) => [row.hash, row.numero]));
  }

  async version(): Promise<ConfirmedVersion | undefined> {
    const sql = this.#sql();
    if (!sql) return undefined;
    const [row] = await sql<ConfirmedVersion>`
      SELECT client_version AS version, client_confirmed::float8 AS confirmed
      FROM cluster WHERE client_version IS NOT NULL`;
    return row;
  }

  async keepVersion({ version, confirmed }: ConfirmedVersion): Promise<void> {
    const sql = this.#sql();
    if (sql) await sql`UPDATE cluster SET client_version = ${version}, client_confirmed = ${confirmed}`;
  }

  async told(channel: string): Promise<Told | undefined> {
    const [row] = await this.#own().sql<Told>`SELECT text, version FROM told WHERE channel = ${channel}`;
    return row;
  }

  async keepTold(channel: string, { text, version }: Told, before = ''): Promise<boolean> {
    const replaced = await this.#own().sql`
      INSERT INTO told (channel, text, version) VALUES (${channel}, ${text}, ${version})
      ON CONFLICT (channel) DO UPDATE SET text = excluded.text, version = excluded.version
      WHERE told.version IN (${before}, excluded.version) RETURNING 1`;
    return replaced.length > 0;
  }

  #own(): Membership {
    const own = this.#current();
    if (!own) throw new Error('This process may not use the database');
    return own;
  }
}

function idOf({ numero }: Claim): string {
  return numeroKey(numero);
}
