import { setTimeout as wait } from 'node:timers/promises';
import { reasonOf } from './operations.ts';

/** Longest time of all attempts, in milliseconds: longer than a restart of the database takes. */
const LIMIT = 10_000;
/** Wait before the next attempt, in milliseconds. */
const PAUSE = 200;

/** Codes of Node and PostgreSQL for a server that cannot be reached, a lost connection, and a server that restarts. */
const LOST = /^(?:E[A-Z_]+|CONNECTION_LOST|08...|57P0.)$/;

/**
 * Runs an idempotent task, and repeats it while the database is briefly unavailable. Rejects with the task's last
 * error.
 */
export async function repeated<T>(task: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + LIMIT;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!LOST.test(reasonOf(error)) || performance.now() > deadline) throw error;
      await wait(PAUSE);
    }
  }
}
