import { CONDITIONS, severityOf } from './states.ts';
import type { Status } from './status.ts';

/** What sessions are counted by: each has one of the first three, and may have the others too. */
const BUCKETS = ['ok', 'waiting', 'attention', 'dropped', 'restartable'] as const;

export type Bucket = (typeof BUCKETS)[number];

export type Counts = Readonly<Record<Bucket, number>>;

/** Whether a session with this status is counted in the bucket. */
export function isIn(bucket: Bucket, status: Status): boolean {
  switch (bucket) {
    case 'dropped':
      return status.droppedAt !== undefined;
    case 'restartable':
      return isRestartable(status);
    default:
      return severityOf(status.asks) === bucket;
  }
}

/** A new start may help. It does not help a code to be scanned, a deletion, or a start that is under way. */
function isRestartable({ condition }: Status): boolean {
  const { remedy } = CONDITIONS[condition];
  return remedy !== undefined && remedy !== 'code' && remedy !== 'delete' && condition !== 'unanswered';
}

export function areInSameBuckets(one: Status, other: Status): boolean {
  return BUCKETS.every((bucket) => isIn(bucket, one) === isIn(bucket, other));
}

/** Counts in one pass, several times a second while there are thousands. */
export function count(records: Iterable<{ readonly status: Status }>): Counts {
  const counts = { ok: 0, waiting: 0, attention: 0, dropped: 0, restartable: 0 };
  for (const { status } of records) {
    for (const bucket of BUCKETS) if (isIn(bucket, status)) counts[bucket] += 1;
  }
  return counts;
}
