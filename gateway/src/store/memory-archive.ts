import type { WireHistoryEntry } from '../../../src/wire.ts';
import { type Archive, KEPT, type NewEntry, type Profile, type StoredLink } from './archive.ts';

interface Kept {
  profile?: Profile;
  link?: StoredLink | undefined;
  /** The newest first. */
  history: WireHistoryEntry[];
}

/** An archive in memory, for sessions that end with the process. */
export class MemoryArchive implements Archive {
  readonly #kept = new Map<string, Kept>();

  profile(numero: string): Profile {
    return this.#kept.get(numero)?.profile ?? {};
  }

  async describe(numero: string, profile: Profile): Promise<void> {
    this.#of(numero).profile = profile;
  }

  async record(entries: readonly NewEntry[]): Promise<void> {
    for (const { numero, entry } of entries) {
      const kept = this.#of(numero);
      kept.history = [entry, ...kept.history.slice(0, KEPT.entries - 1)];
    }
  }

  async history(
    numero: string,
    limit: number,
    before = Number.POSITIVE_INFINITY,
  ): Promise<WireHistoryEntry[]> {
    const history = this.#kept.get(numero)?.history ?? [];
    const old = Date.now() - KEPT.time;
    const kept = history.filter(({ at }, newer) => newer < KEPT.always || at > old);
    return kept.filter(({ at }) => at < before).slice(0, limit);
  }

  link(numero: string): StoredLink | undefined {
    return this.#kept.get(numero)?.link;
  }

  async setLink(numero: string, link: StoredLink | undefined): Promise<void> {
    this.#of(numero).link = link;
  }

  forget(numero: string): void {
    this.#kept.delete(numero);
  }

  #of(numero: string): Kept {
    const kept = this.#kept.get(numero) ?? { history: [] };
    this.#kept.set(numero, kept);
    return kept;
  }
}
