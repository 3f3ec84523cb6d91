import { setTimeout as wait } from 'node:timers/promises';

/** How long a gateway takes to end at most, in milliseconds. */
export const DRAIN_LIMIT = 20_000;

/** Resolves with whether the task has settled within `limit` milliseconds. */
export async function settles(task: Promise<unknown>, limit: number): Promise<boolean> {
  const abort = new AbortController();
  const late = wait(Math.max(0, limit), false, { signal: abort.signal }).catch(() => false);
  const settled = await Promise.race([task.then(() => true), late]);
  abort.abort();
  return settled;
}
