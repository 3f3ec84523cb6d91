import type { WireHistoryEntry } from '../../../src/wire.ts';
import { NotStoredError } from '../sessions/errors.ts';
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
  readLink,
  readProfile,
  type StoredLink,
} from './archive.ts';
import type { Disk } from './disk.ts';
import type { KeyTable } from './tables.ts';

/** An id after all others. */
const LAST = '~';

/** The parts of its store that the archive needs. */
interface Parts {
  readonly disk: Disk;
  /** Returns the archive's table of a session; undefined if it is not stored, or the store is closed. */
  readonly table: (numero: string) => KeyTable | undefined;
  /** Runs `task` in a transaction. */
  readonly atomically: (task: () => void) => void;
}

/** The archives of the sessions of one SQLite file. */
export class SqliteArchive implements Archive {
  readonly #parts: Parts;
  /** Entries since old ones were removed. */
  readonly #added = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  profile(numero: string): Profile {
    const profile = this.#read(numero, (table) => {
      const text = table.get(PROFILE.type, PROFILE.id);
      return text === undefined ? undefined : readProfile(text);
    });
    return profile ?? {};
  }

  async describe(numero: string, profile: Profile): Promise<void> {
    this.#write(numero, (table) => table.put(PROFILE.type, PROFILE.id, JSON.stringify(profile)));
  }

  async record(entries: readonly NewEntry[]): Promise<void> {
    const bySession = new Map<string, WireHistoryEntry[]>();
    for (const { numero, entry } of entries) {
      bySession.set(numero, [...(bySession.get(numero) ?? []), entry]);
    }
    const [numero] = bySession.keys();
    if (numero === undefined) return;
    // One transaction for all: each waits for the disk.
    this.#parts.disk.write('write-archive', numero, () =>
      this.#parts.atomically(() => {
        for (const [of, own] of bySession) {
          const table = this.#parts.table(of);
          table?.putAll(own.map(entryRow));
          if (table && this.#isDue(of, own.length)) prune(table);
        }
      }),
    );
  }

  async history(numero: string, limit: number, before?: number): Promise<WireHistoryEntry[]> {
    const end = before === undefined ? LAST : entryId(before);
    const entries = this.#read(numero, (table) =>
      table.before(HISTORY, end, limit).map(({ value }) => readEntry(value)),
    );
    return entries ?? [];
  }

  link(numero: string): StoredLink | undefined {
    return this.#read(numero, (table) => {
      const [row] = table.before(LINK, LAST, 1);
      return row && readLink(row.id, row.value);
    });
  }

  async setLink(numero: string, link: StoredLink | undefined): Promise<void> {
    this.#write(numero, (table) =>
      this.#parts.atomically(() => {
        table.deleteBefore(LINK, LAST);
        if (link) table.putAll([linkRow(link)]);
      }),
    );
  }

  /** It was removed with the session. */
  forget(numero: string): void {
    this.#added.delete(numero);
  }

  #isDue(numero: string, entries: number): boolean {
    // The first of a process may follow many of another.
    const added = (this.#added.get(numero) ?? PRUNE_EVERY) + entries;
    this.#added.set(numero, added >= PRUNE_EVERY ? 0 : added);
    return added >= PRUNE_EVERY;
  }

  #read<T>(numero: string, task: (table: KeyTable) => T): T | undefined {
    return this.#parts.disk.read('read-archive', numero, () => {
      const table = this.#parts.table(numero);
      return table && task(table);
    });
  }

  #write(numero: string, task: (table: KeyTable) => void): void {
    const table = this.#parts.table(numero);
    if (!table) throw new NotStoredError('write-archive', numero);
    this.#parts.disk.write('write-archive', numero, () => task(table));
  }
}

function prune(table: KeyTable): void {
  const oldestOf = (entries: number) => table.lastIdBut(HISTORY, entries - 1) ?? entryId(0);
  const old = entryId(Date.now() - KEPT.time);
  const always = oldestOf(KEPT.always);
  table.deleteBefore(HISTORY, old < always ? old : always);
  table.deleteBefore(HISTORY, oldestOf(KEPT.entries));
}
