import { ExpiringCache } from './expiring-cache.ts';

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
