import type { SessionRecord } from './session-map.ts';

/**
 * What mends a session, or is next for it: a first `start`; the start `again`, since it hangs; a `retry` of the start that
 * failed; to `delete` it once more; to look at its `code`; to have a `newCode`.
 */
export type Remedy = 'start' | 'again' | 'retry' | 'delete' | 'code' | 'newCode';

/** Returns the one next step of the operator; undefined where there is none. */
export function remedyFor({
  status,
  details,
}: Pick<SessionRecord, 'status' | 'details'>): Remedy | undefined {
  const { asks, unanswered, failure, stuck, codeLife, unscanned } = status;
  if (unanswered) return 'again';
  if (stuck === 'not-deleted' || failure?.action === 'delete') return 'delete';
  if (failure) return 'retry';
  if (stuck) return 'again';
  const isUnscanned = unscanned || (asks === 'act' && details.reason?.code === 'not-scanned');
  if (codeLife === 'expired' || isUnscanned) return 'newCode';
  if (asks === 'scan') return 'code';
  return asks === 'act' || asks === 'unknown' ? 'start' : undefined;
}

/** Whether the operator has just asked for its start, and the server may still answer in time. */
export function isStarting({ facts, status }: SessionRecord): boolean {
  return facts.startAskedAt !== undefined && !status.unanswered;
}
