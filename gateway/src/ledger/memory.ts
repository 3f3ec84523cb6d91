import { entryId, KEPT } from './archive.ts';
import { PLAIN } from './cipher.ts';
import type { Claim } from './claim.ts';
import type { Driver, NewSession } from './driver.ts';
import { Ledger } from './ledger.ts';
import type { Change, Row, Table, TakenSession } from './row.ts';

type Rows = Map<string, Row>;

/** Returns a ledger of sessions that end with the process. */
export function memoryLedger(): Ledger {
  return new Ledger(new Memory(), { cipher: PLAIN, print: () => {} });
}

/** Keeps the rows in memory, for sessions that end with the process. */
export class Memory implements Driver {
  readonly place = 'disk';
  readonly isUsable = true;
  readonly isVolatile = true;
  readonly #tables = new WeakMap<Claim, Record<Table, Rows>>();

  async add(sessions: readonly NewSession[]): Promise<TakenSession[]> {
    return sessions.map(({ numero }) => ({ numero, epoch: '', leaving: false }));
  }

  async mark(): Promise<boolean> {
    return true;
  }

  async keys(claim: Claim, type: string, ids: readonly string[]): Promise<Row[]> {
    return ids.flatMap((id) => this.#of(claim).key.get(nameOf({ type, id })) ?? []);
  }

  async write(claim: Claim, changes: readonly Change[]): Promise<boolean> {
    const { key } = this.#of(claim);
    for (const { value, ...change } of changes) {
      if (value === undefined) key.delete(nameOf(change));
      else key.set(nameOf(change), { ...change, value });
    }
    return true;
  }

  async erase(secrets: ReadonlyMap<Claim, string | null>, tables: readonly Table[]): Promise<boolean> {
    for (const claim of secrets.keys()) for (const table of tables) this.#of(claim)[table].clear();
    return true;
  }

  async remove(claim: Claim): Promise<boolean> {
    return this.#tables.delete(claim) || true;
  }

  async replace(): Promise<boolean> {
    return true;
  }

  async record(rows: readonly (readonly [claim: Claim, row: Row])[]): Promise<void> {
    for (const [claim, row] of rows) this.#of(claim).archive.set(row.id, row);
  }

  async history(claim: Claim, before: string, limit: number): Promise<Row[]> {
    const rows = this.#history(claim, entryId(Date.now() - KEPT.time));
    return rows.filter(({ id }) => id < before).slice(0, limit);
  }

  async prune(claims: readonly Claim[], old: string): Promise<void> {
    for (const claim of claims) {
      const rows = this.#history(claim, old).reverse();
      this.#of(claim).archive = new Map(rows.map((row) => [row.id, row]));
    }
  }

  async confirm(): Promise<boolean> {
    return true;
  }

  /** Returns the entries that are kept, the newest first. */
  #history(claim: Claim, old: string): Row[] {
    const rows = [...this.#of(claim).archive.values()].reverse();
    return rows.filter(({ id }, newer) => newer < KEPT.always || (newer < KEPT.entries && id >= old));
  }

  #of(claim: Claim): Record<Table, Rows> {
    const known = this.#tables.get(claim) ?? { key: new Map(), archive: new Map() };
    this.#tables.set(claim, known);
    return known;
  }
}

function nameOf({ type, id }: { type: string; id: string }): string {
  return `${type} ${id}`;
}
