import { batch, keepIfEqual, Observable } from '../observable.ts';
import { byLanguage, type Translate } from '../texts/translate.ts';
import { sectionOf } from './groups.ts';
import type { Details } from './session.ts';
import type { SessionMap } from './session-map.ts';
import { CONDITIONS, isStart, type Severity, type Status, severityOf } from './states.ts';

/** Each session is in one of the first three, and may be in the others too. */
export type Bucket = Severity | 'dropped' | 'restartable';

export type Counts = Readonly<Record<Bucket, number>>;

export function bucketsOf({ asks, condition, droppedAt }: Status): readonly Bucket[] {
  const buckets: Bucket[] = [severityOf(asks)];
  if (droppedAt !== undefined) buckets.push('dropped');
  // A start that is under way needs no other.
  if (isStart(CONDITIONS[condition].remedy) && condition !== 'unanswered') buckets.push('restartable');
  return buckets;
}

/** Counts in one pass, several times a second while there are thousands. */
export function count(records: Iterable<{ readonly status: Status }>): Counts {
  const counts = { ok: 0, waiting: 0, attention: 0, dropped: 0, restartable: 0 };
  for (const { status } of records) for (const bucket of bucketsOf(status)) counts[bucket] += 1;
  return counts;
}

/** The counts of a section without any. */
export const NO_SESSIONS = { name: '', total: 0, ok: 0, waiting: 0, attention: 0 } as const;

/** Counts the sessions of each section by severity. The name is in the spelling of the first session. */
export function countSections(
  t: Translate,
  records: Iterable<{ readonly details: Details; readonly status: Pick<Status, 'asks'> }>,
): ReadonlyMap<string, Readonly<Record<Severity | 'total', number>> & { readonly name: string }> {
  const sections = bySection(t, records, ({ details }) => sectionOf(details.group));
  return new Map(
    sections.map(([section, members]) => {
      const counts = { ok: 0, waiting: 0, attention: 0 };
      for (const { status } of members) counts[severityOf(status.asks)] += 1;
      const name = section && (members[0]?.details.group ?? section);
      return [section, { name, total: members.length, ...counts }];
    }),
  );
}

const alphabetIn = byLanguage((language) => new Intl.Collator(language, { numeric: true }));

/**
 * Returns the sections with what is in them, in alphabetical order, that of no group last; none where nothing is in a group.
 * The order inside stays.
 */
export function bySection<One>(
  t: Translate,
  all: Iterable<One>,
  sectionOfOne: (one: One) => string,
): [section: string, members: One[]][] {
  // `Map.groupBy`, which Node 20 lacks.
  const sections = new Map<string, One[]>();
  for (const one of all) {
    const section = sectionOfOne(one);
    const members = sections.get(section) ?? [];
    members.push(one);
    sections.set(section, members);
  }
  if (![...sections.keys()].some(Boolean)) return [];
  const alphabet = alphabetIn(t);
  return [...sections].sort(
    ([one], [other]) => Number(one === '') - Number(other === '') || alphabet.compare(one, other),
  );
}

/** Milliseconds for which changes are collected for one count. */
const GATHER_MS = 250;

/** Counts sessions by bucket and by section, four times a second at most, however many change. */
export function createAggregates(t: Translate, sessions: SessionMap) {
  const counts = new Observable(count([]));
  const sections = new Observable(countSections(t, []));
  const counting = batch((run) => setTimeout(run, GATHER_MS), update);

  function update(): void {
    counting.cancel();
    const { records } = sessions;
    counts.set(keepIfEqual(counts.get(), count(records)));
    const before = sections.get();
    const now = [...countSections(t, records)].map(
      ([section, counted]) => [section, keepIfEqual(before.get(section), counted)] as const,
    );
    // A heading renders only when its own section counts something else.
    if (now.length !== before.size || now.some(([section, counted]) => counted !== before.get(section)))
      sections.set(new Map(now));
  }

  const ignore = sessions.changes.add(({ before, now }) => {
    if (before?.status !== now?.status || before?.details.group !== now?.details.group) counting.add();
  });

  return {
    counts,
    sections,
    update,
    stop(): void {
      ignore();
      counting.cancel();
    },
  };
}
