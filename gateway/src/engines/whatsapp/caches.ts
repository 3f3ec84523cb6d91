import type { CacheStore } from '@whiskeysockets/baileys';

/** What a session keeps in memory between connections. */
export interface Caches {
  readonly devices: ExpiringCache;
  readonly retries: ExpiringCache;
  readonly calls: ExpiringCache;
  readonly placeholders: ExpiringCache;
}

/** Creates caches with the library's own lifetimes, and sizes that a busy session does not reach. */
export function createCaches(): Caches {
  const minute = 60_000;
  return {
    devices: new ExpiringCache(5 * minute, 1_000),
    retries: new ExpiringCache(60 * minute, 1_000),
    calls: new ExpiringCache(5 * minute, 100),
    placeholders: new ExpiringCache(60 * minute, 1_000),
  };
}

/**
 * A cache without timers that drops entries older than `life` milliseconds, and the oldest ones beyond `most`. The
 * library's own caches keep a timer each for the life of the process, and a connection has several.
 */
export class ExpiringCache implements CacheStore {
  readonly #life: number;
  readonly #most: number;
  readonly #entries = new Map<string, { value: unknown; until: number }>();

  constructor(life: number, most: number) {
    this.#life = life;
    this.#most = most;
  }

  // The library asks for the type that it has stored.
  get<T>(key: string): T | undefined;
  get(key: string): unknown {
    const entry = this.#entries.get(key);
    if (entry && entry.until < Date.now()) this.#entries.delete(key);
    else return entry?.value;
  }

  set<T>(key: string, value: T): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: Date.now() + this.#life });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }

  del(key: string): void {
    this.#entries.delete(key);
  }

  flushAll(): void {
    this.#entries.clear();
  }
}
