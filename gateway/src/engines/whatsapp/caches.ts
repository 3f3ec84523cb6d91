import type { CacheStore, UserFacingSocketConfig } from '@whiskeysockets/baileys';
import { LRUCache } from 'lru-cache';

/**
 * Returns what a session keeps in memory between connections, with the library's own lifetimes, and sizes that a busy
 * session does not reach.
 */
export function createCaches() {
  const minute = 60_000;
  return {
    userDevicesCache: new Cache(5 * minute, 1_000),
    msgRetryCounterCache: new Cache(60 * minute, 1_000),
    callOfferCache: new Cache(5 * minute, 100),
    placeholderResendCache: new Cache(60 * minute, 1_000),
  } satisfies Partial<UserFacingSocketConfig>;
}

/**
 * A cache without timers, in the library's interface: its own caches keep a timer each for the life of the process,
 * and a connection has several.
 */
class Cache implements CacheStore {
  readonly #entries: LRUCache<string, { readonly value: unknown }>;

  /**
   * @param ttl lifetime of an entry, in milliseconds
   * @param most entries; the one used longest ago is dropped first
   */
  constructor(ttl: number, most: number) {
    // `max` would reserve the memory for all entries: 100 MB with 500 sessions.
    this.#entries = new LRUCache({ ttl, maxSize: most, sizeCalculation: () => 1 });
  }

  // The library asks for the type that it has stored.
  get<T>(key: string): T | undefined;
  get(key: string): unknown {
    return this.#entries.get(key)?.value;
  }

  set<T>(key: string, value: T): void {
    this.#entries.set(key, { value });
  }

  del(key: string): void {
    this.#entries.delete(key);
  }

  flushAll(): void {
    this.#entries.clear();
  }
}

/**
 * A cache for the keys of a session, without the one-time keys: the library creates 812 with each link, which would stay
 * in memory although each is read at most once.
 */
export class KeyCache extends Cache {
  override set<T>(key: string, value: T): void {
    if (!key.startsWith('pre-key.')) super.set(key, value);
  }
}
