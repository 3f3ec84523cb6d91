import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from '../store/postgres/database.ts';
import type { SessionRow } from './rows.ts';

/** Wait before a failed reading is repeated, in milliseconds. */
const RETRY = 500;

/**
 * Takes what was read.
 *
 * @param numeros the sessions that were looked for; undefined for all
 */
type Take = (rows: readonly SessionRow[], numeros: readonly string[] | undefined) => void;

/** Reads rows of the table `session`, one statement at a time, so that each tells more than the one before. */
export class RowReader {
  readonly #sql: () => Sql | undefined;
  readonly #take: Take;
  #due = new Set<string>();
  #areAllDue = false;
  #reading: Promise<void> | undefined;

  /** @param sql returns a connection; undefined once there will be none, which ends all reading */
  constructor(sql: () => Sql | undefined, take: Take) {
    this.#sql = sql;
    this.#take = take;
  }

  /** Reads the row of one session, soon. */
  read(numero: string): void {
    this.#due.add(numero);
    this.#reading ??= this.#readDue();
  }

  /** Reads all rows. Resolves once that has succeeded. What is under way may wait for a lost connection: it is ignored. */
  async readAll(): Promise<void> {
    this.#areAllDue = true;
    this.#reading = this.#readDue();
    await this.#reading;
  }

  /** Resolves when everything is read that was to be read by now. */
  async settled(): Promise<void> {
    await this.#reading;
  }

  async #readDue(): Promise<void> {
    // What is said in one go is one statement; and `#reading` is this one from then on.
    await Promise.resolve();
    const own = this.#reading;
    const isLast = () => this.#reading === own;
    while (isLast() && (this.#areAllDue || this.#due.size > 0)) {
      const sql = this.#sql();
      if (!sql) break;
      const numeros = this.#areAllDue ? undefined : [...this.#due];
      this.#areAllDue = false;
      this.#due = new Set();
      try {
        const rows = await select(sql, numeros);
        if (isLast()) this.#take(rows, numeros);
      } catch {
        if (!isLast()) return;
        if (numeros) for (const numero of numeros) this.#due.add(numero);
        else this.#areAllDue = true;
        await wait(RETRY);
      }
    }
    if (isLast()) this.#reading = undefined;
  }
}

function select(sql: Sql, numeros: readonly string[] | undefined): Promise<SessionRow[]> {
  return sql<SessionRow>`
    SELECT numero, state, qr, waiting, details, place, version FROM session
    WHERE ${numeros === undefined} OR numero = ANY (${numeros ?? []})`;
}
