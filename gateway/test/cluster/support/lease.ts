import type { ClusterOptions } from '../../../src/cluster/cluster.ts';

/** So long that no test depends on the time until a beat, or until a lease is over. In seconds. */
export const LEASE = 300;

/** For tests that wait until a lease is over, which say so in their names. In seconds. */
export const SHORT_LEASE = 6;

/** Returns the options of a gateway on a database. */
export function clusterOn(database: string, options: Omit<ClusterOptions, 'database'> = {}): ClusterOptions {
  return { database, lease: LEASE, ...options };
}
