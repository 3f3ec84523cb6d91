import { entryId, HISTORY, KEPT } from './archive.ts';
import { PLAIN } from './cipher.ts';
import type { Claim } from './claim.ts';
import type { ArchiveRow, Driver } from './driver.ts';
import { Ledger } from './ledger.ts';
import type { Change, Row, Table, TakenSession, Told } from './row.ts';

/** An entry of a history, with its time as a number: texts of a fixed length take twice the memory. */
interface Entry {
  readonly at: number;
  readonly value: string;
}

interface Rows {
  readonly keys: Map<string, Row>;
  /** The oldest first. */
  history: Entry[];
}

/** Returns a ledger of sessions that end with the process. */
export function memoryLedger(): Ledger {
  return new Ledger(new Memory(), { cipher: PLAIN, print: () => {} });
}

/** Keeps the rows in memory, for sessions that end with the process. */
export class Memory implements Driver {
  readonly isUsable = true;
  readonly #rows = new Map<Claim, Rows>();
  readonly #told = new Map<string, Told>();

  async add(numeros: readonly string[]): Promise<TakenSession[]> {
    return numeros.map((numero) => ({ numero, epoch: '', leaving: false }));
  }

  async mark(): Promise<boolean> {
    return true;
  }

  async keys(claim: Claim, type: string, ids: readonly string[]): Promise<Row[]> {
    return ids.flatMap((id) => this.#of(claim).keys.get(nameOf({ type, id })) ?? []);
  }

  async write(claim: Claim, changes: readonly Change[]): Promise<boolean> {
    const { keys } = this.#of(claim);
    for (const { type, id, value } of changes) {
      // The claim keeps those without an id.
      if (id === '') continue;
      if (value === undefined) keys.delete(nameOf({ type, id }));
      else keys.set(nameOf({ type, id }), { type, id, value });
    }
    return true;
  }

  async erase(claims: readonly Claim[], tables: readonly Table[]): Promise<boolean> {
    for (const claim of claims) {
      const rows = this.#of(claim);
      if (tables.includes('key')) rows.keys.clear();
      if (tables.includes('archive')) rows.history = [];
    }
    return true;
  }

  async remove(claim: Claim): Promise<boolean> {
    return this.#rows.delete(claim) || true;
  }

  async replace(): Promise<boolean> {
    return true;
  }

  async record(rows: readonly ArchiveRow[]): Promise<void> {
    for (const [claim, { id, value }, was] of rows) {
      const { history } = this.#of(claim);
      const before = was === undefined ? -1 : history.findIndex(({ at }) => at === Number(was));
      if (before !== -1) history.splice(before, 1);
      history.push({ at: Number(id), value });
      if (before !== -1) history.sort((one, other) => one.at - other.at);
    }
  }

  async history(claim: Claim, before: string, limit: number): Promise<Row[]> {
    const entries = this.#history(claim, Date.now() - KEPT.time).filter(({ at }) => at < Number(before));
    return entries.slice(0, limit).map(({ at, value }) => ({ type: HISTORY, id: entryId(at), value }));
  }

  async prune(claims: readonly Claim[], old: string): Promise<void> {
    for (const claim of claims) {
      const rows = this.#of(claim);
      if (rows.history.length > KEPT.always) rows.history = this.#history(claim, Number(old)).reverse();
    }
  }

  async told(channel: string): Promise<Told | undefined> {
    return this.#told.get(channel);
  }

  async keepTold(channel: string, told: Told): Promise<boolean> {
    this.#told.set(channel, told);
    return true;
  }

  async confirm(): Promise<boolean> {
    return true;
  }

  /** Returns the entries that are kept, the newest first. */
  #history(claim: Claim, old: number): Entry[] {
    const entries = [...this.#of(claim).history].reverse();
    return entries.filter(({ at }, newer) => newer < KEPT.always || (newer < KEPT.entries && at >= old));
  }

  #of(claim: Claim): Rows {
    const known = this.#rows.get(claim) ?? { keys: new Map(), history: [] };
    this.#rows.set(claim, known);
    return known;
  }
}

function nameOf({ type, id }: { type: string; id: string }): string {
  return `${type} ${id}`;
}
