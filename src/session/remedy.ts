import type { SessionRecord } from './record.ts';
import { CONDITIONS, type Remedy } from './states.ts';

/** Returns the one next step of the operator; undefined where there is none. */
export function remedyFor({
  status,
  details,
}: Pick<SessionRecord, 'status' | 'details'>): Remedy | undefined {
  const { remedy } = CONDITIONS[status.condition];
  // The code ran out before the page was opened.
  return remedy === 'start' && details.reason?.code === 'not-scanned' ? 'newCode' : remedy;
}

/** Whether the operator has just asked for its start, and the server may still answer in time. */
export function isStarting({ facts, status }: SessionRecord): boolean {
  return facts.startAskedAt !== undefined && status.condition !== 'unanswered';
}
