/** How urgent sessions are: the order of attention. */
import type { SessionRecord } from './record.ts';
import { CONDITIONS, FINDINGS, severityOf } from './states.ts';

/** From the most urgent on. Those before `waiting` need attention. */
const URGENCIES = [
  'blocked',
  'restricted',
  'unlinked',
  'dropped',
  'stuck',
  'attention',
  'waiting',
  'ok',
] as const;

type Urgency = (typeof URGENCIES)[number];

/** By the codes of docs/reasons.md. An operator has unlinked a session with `unlinked`. */
const BY_REASON: ReadonlyMap<string | undefined, Urgency> = new Map([
  ['restricted', 'restricted'],
  ['banned', 'restricted'],
  ['logged-out', 'unlinked'],
  ['device-removed', 'unlinked'],
]);

type Placed = Pick<SessionRecord, 'status' | 'details' | 'facts'>;

function urgencyOf({ status, details }: Placed): Urgency {
  const severity = severityOf(status.asks);
  if (severity !== 'attention') return severity;
  const { condition, droppedAt } = status;
  const byTime = Object.hasOwn(FINDINGS, condition) ? 'stuck' : 'attention';
  return (
    CONDITIONS[condition].urgency ??
    BY_REASON.get(details.reason?.code) ??
    (droppedAt === undefined ? byTime : 'dropped')
  );
}

/** The place of a session in the order of attention, as two numbers to compare, the smaller first. */
export function placeOf(record: Placed): readonly [urgency: number, age: number] {
  const urgency = urgencyOf(record);
  // The newest first; what nobody has to look at keeps the order of the server.
  const isCalm = urgency === 'waiting' || urgency === 'ok';
  return [URGENCIES.indexOf(urgency), isCalm ? 0 : -(record.details.since ?? record.facts.stateSince)];
}
