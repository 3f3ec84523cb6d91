import type { CacheStore } from '@whiskeysockets/baileys';

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
