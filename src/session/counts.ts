import { needsAttention, type Status } from './status.ts';

/** Sessions by what they ask of the operator. Those that dropped, or are restartable, are in another group too. */
const GROUPS = ['ok', 'waiting', 'attention', 'dropped', 'restartable'] as const;

export type Group = (typeof GROUPS)[number];

export type Counts = Readonly<Record<Group, number>>;

/** Whether a session with this status belongs to the group. */
export function isIn(group: Group, status: Status): boolean {
  switch (group) {
    case 'dropped':
      return status.droppedAt !== undefined;
    case 'restartable':
      return isRestartable(status);
    default:
      return groupOf(status) === group;
  }
}

/** A new start may help. It does not help a code to be scanned, a deletion, or a start that is under way. */
function isRestartable({ asks, unanswered, stuck, failure }: Status): boolean {
  if (unanswered || stuck === 'not-deleted' || failure?.action === 'delete') return false;
  return asks === 'act' || asks === 'unknown';
}

export function areInSameGroups(one: Status, other: Status): boolean {
  return GROUPS.every((group) => isIn(group, one) === isIn(group, other));
}

/** Counts in one pass, several times a second while there are thousands. */
export function count(records: Iterable<{ readonly status: Status }>): Counts {
  const counts = { ok: 0, waiting: 0, attention: 0, dropped: 0, restartable: 0 };
  for (const { status } of records) {
    for (const group of GROUPS) if (isIn(group, status)) counts[group] += 1;
  }
  return counts;
}

/** The one of three groups that each session is in. */
export function groupOf(status: Status): 'ok' | 'waiting' | 'attention' {
  if (needsAttention(status)) return 'attention';
  return status.asks === 'wait' ? 'waiting' : 'ok';
}
