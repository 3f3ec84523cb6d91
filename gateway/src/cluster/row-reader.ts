import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from '../ledger/database.ts';
import { readRows, type SessionRow } from '../ledger/session-rows.ts';

/** Wait before a failed read is repeated, in milliseconds. */
const RETRY = 500;
/** Time between two reads of all rows, and between checks of that time, in milliseconds. */
const REST = 500;
const LOOK = 50;

/**
 * Receives the rows.
 *
 * @param numeros the requested sessions; undefined for all
 */
type Take = (rows: readonly SessionRow[], numeros: readonly string[] | undefined) => void;

/** Reads rows of the table `session`, one statement at a time, so that results never go backwards. */
export class RowReader {
  readonly #sql: () => Sql | undefined;
  readonly #take: Take;
  #due = new Set<string>();
  #areAllDue = false;
  /** When all rows may be read again. */
  #restUntil = Number.NEGATIVE_INFINITY;
  #round: symbol | undefined;
  #reading: Promise<void> | undefined;

  /** @param sql returns a connection; undefined once there will be none, which ends all reading */
  constructor(sql: () => Sql | undefined, take: Take) {
    this.#sql = sql;
    this.#take = take;
  }

  /** Reads the row of one session, soon. */
  read(numero: string): void {
    this.#due.add(numero);
    void this.#begin();
  }

  /** Reads all rows, at most twice a second, since anyone can trigger it. Resolves once that has succeeded. */
  readAll(): Promise<void> {
    this.#areAllDue = true;
    return this.#begin();
  }

  /** Reads all rows at once. A read under way, which may wait for a lost connection, ends with this one. */
  readAnew(): Promise<void> {
    this.#reading = undefined;
    this.#restUntil = Number.NEGATIVE_INFINITY;
    return this.readAll();
  }

  /** Resolves when all reads requested so far are done. */
  async settled(): Promise<void> {
    await this.#reading;
  }

  #begin(): Promise<void> {
    if (this.#reading) return this.#reading;
    const round = Symbol();
    this.#round = round;
    const reading = this.#readDue(() => this.#round === round);
    this.#reading = reading;
    return reading;
  }

  async #readDue(isLast: () => boolean): Promise<void> {
    // Requests of one turn become one statement.
    await Promise.resolve();
    while (isLast() && (this.#areAllDue || this.#due.size > 0)) {
      const sql = this.#sql();
      if (!sql) break;
      const isWhole = this.#areAllDue && performance.now() >= this.#restUntil;
      if (!isWhole && this.#due.size === 0) {
        await wait(LOOK);
        continue;
      }
      const numeros = isWhole ? undefined : [...this.#due];
      if (isWhole) this.#areAllDue = false;
      this.#due = new Set();
      try {
        const rows = await readRows(sql, numeros);
        if (!isLast()) break;
        if (isWhole) this.#restUntil = performance.now() + REST;
        this.#take(rows, numeros);
      } catch {
        if (!isLast()) break;
        if (numeros) for (const numero of numeros) this.#due.add(numero);
        else this.#areAllDue = true;
        await wait(RETRY);
      }
    }
    if (isLast()) this.#reading = undefined;
    else await this.#reading;
  }
}
