import { ExpiringCache } from './expiring-cache.ts';

/** What a session keeps in memory from one connection to the next. */
export interface Caches {
  readonly devices: ExpiringCache;
  readonly retries: ExpiringCache;
  readonly calls: ExpiringCache;
  readonly placeholders: ExpiringCache;
}

/** Lives as the library has them; sizes that a busy session does not reach in that time. */
export function createCaches(): Caches {
  const minute = 60_000;
  return {
    devices: new ExpiringCache(5 * minute, 1_000),
    retries: new ExpiringCache(60 * minute, 1_000),
    calls: new ExpiringCache(5 * minute, 100),
    placeholders: new ExpiringCache(60 * minute, 1_000),
  };
}
