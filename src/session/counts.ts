import { needsAttention, type Status } from './status.ts';

/** Sessions by what they ask of the operator. Those that dropped, or are restartable, are in another group too. */
const GROUPS = ['ok', 'waiting', 'attention', 'dropped', 'restartable'] as const;

export type Group = (typeof GROUPS)[number];

export type Counts = Readonly<Record<Group, number>>;

/** Whether a session with this status belongs to the group. */
export function isIn(group: Group, status: Status): boolean {
  switch (group) {
    case 'ok':
      return status.asks === 'nothing';
    case 'waiting':
      return status.asks === 'wait';
    case 'attention':
      return needsAttention(status);
    case 'dropped':
      return status.droppedAt !== undefined;
    case 'restartable':
      return isRestartable(status);
  }
}

/** A new start may help. It does not help a code to be scanned, a deletion, or a start that is under way. */
function isRestartable({ asks, unanswered, stuck, failure }: Status): boolean {
  if (unanswered || stuck === 'not-deleted' || failure?.action === 'delete') return false;
  return asks === 'act' || asks === 'unknown';
}

export function count(statuses: readonly Status[]): Counts {
  const counts = { ok: 0, waiting: 0, attention: 0, dropped: 0, restartable: 0 };
  for (const status of statuses) for (const group of GROUPS) if (isIn(group, status)) counts[group] += 1;
  return counts;
}
