/** The groups that the operators put sessions in, as sections of a list. '' is the section of those without a group. */
import type { SessionRecord } from './session-map.ts';
import { needsAttention } from './status.ts';

/** How many sessions a section has, and how many of them need attention. */
export interface SectionCounts {
  readonly total: number;
  readonly attention: number;
}

/** In alphabetical order, those without a group last; empty where no session has one. */
export type Sections = ReadonlyMap<string, SectionCounts>;

const NONE: Sections = new Map();

const alphabet = new Intl.Collator('es', { numeric: true });

export function sectionOf({ details }: Pick<SessionRecord, 'details'>): string {
  return details.group ?? '';
}

/** Counts in one pass, several times a second while there are thousands. */
export function countSections(records: Iterable<Pick<SessionRecord, 'details' | 'status'>>): Sections {
  const counts = new Map<string, { total: number; attention: number }>();
  for (const record of records) {
    const section = sectionOf(record);
    const count = counts.get(section) ?? { total: 0, attention: 0 };
    if (count.total === 0) counts.set(section, count);
    count.total += 1;
    if (needsAttention(record.status)) count.attention += 1;
  }
  return hasGroup(counts.keys()) ? new Map(inOrder(counts)) : NONE;
}

/** Returns the section of each session, section by section; undefined where none has a group. The order inside stays. */
export function arrange(
  numeros: readonly string[],
  sectionOfNumero: (numero: string) => string,
): ReadonlyMap<string, string> | undefined {
  const members = new Map<string, string[]>();
  for (const numero of numeros) {
    const section = sectionOfNumero(numero);
    const list = members.get(section) ?? [];
    if (list.length === 0) members.set(section, list);
    list.push(numero);
  }
  if (!hasGroup(members.keys())) return undefined;
  return new Map(
    inOrder(members).flatMap(([section, list]) => list.map((numero): [string, string] => [numero, section])),
  );
}

/** Whether both have the same sections, with the same counts. */
export function haveSameCounts(one: Sections, other: Sections): boolean {
  return (
    one.size === other.size &&
    [...one].every(([section, counts]) => {
      const otherCounts = other.get(section);
      return counts.total === otherCounts?.total && counts.attention === otherCounts.attention;
    })
  );
}

function hasGroup(sections: Iterable<string>): boolean {
  return [...sections].some(Boolean);
}

function inOrder<Value>(sections: ReadonlyMap<string, Value>): [string, Value][] {
  return [...sections].sort(
    ([one], [other]) => Number(one === '') - Number(other === '') || alphabet.compare(one, other),
  );
}
