import type { Scope } from '../../../../test/support/scope.ts';
import { listen, type Sql } from '../../../src/ledger/database.ts';
import { CHANNEL } from '../../../src/ledger/session-rows.ts';
import { type SharedPostgres, verbatim } from './postgres.ts';
import { connectTables } from './tables.ts';

const ROLE = 'stranger';

/** A role of the server without a right on any table, which hears and says what it can. */
export class Stranger {
  /** What it has heard on the channel of the gateways, from others. */
  readonly heard: string[] = [];
  readonly #said = new Set<string>();
  readonly #sql: Sql;

  private constructor(sql: Sql) {
    this.#sql = sql;
  }

  static async connect(scope: Scope, server: SharedPostgres, database: string): Promise<Stranger> {
    const isThere = await server.query((sql) => sql`SELECT FROM pg_roles WHERE rolname = ${ROLE}`);
    if (isThere.length === 0) await server.query((sql) => sql(verbatim(`CREATE ROLE ${ROLE} LOGIN`)));
    const url = new URL(database);
    url.username = ROLE;
    const stranger = new Stranger((await connectTables(scope, url.href)).sql);
    const hear = (text: string) => {
      if (!stranger.#said.has(text)) stranger.heard.push(text);
    };
    const listener = await listen(url.href, ROLE, CHANNEL, hear, () => {});
    scope.after(() => listener.end());
    return stranger;
  }

  async say(text: string): Promise<void> {
    this.#said.add(text);
    await this.#sql`SELECT pg_notify(${CHANNEL}, ${text})`;
  }

  /** Holds the advisory lock of a number until the end of its connection. */
  async hold(lock: number): Promise<void> {
    await this.#sql`SELECT pg_advisory_lock(${lock})`;
  }
}
