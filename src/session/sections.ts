/**
 * The groups that the operators put sessions in, as sections of a list. Groups that look alike are one. '' is the section of
 * those without a group.
 */
import type { Details } from './details.ts';
import { needsAttention, type Status } from './status.ts';

/** A session, as far as its section is concerned. */
interface Member {
  readonly details: Details;
  readonly status: Pick<Status, 'asks'>;
}

/** How many sessions a section has, and how many of them need attention. */
export interface SectionCounts {
  /** As the first of its sessions spells it. */
  readonly name: string;
  readonly total: number;
  readonly attention: number;
}

/** By section, in alphabetical order, those without a group last; empty where no session has one. */
export type Sections = ReadonlyMap<string, SectionCounts>;

const alphabet = new Intl.Collator('es', { numeric: true });

/** Returns the section of a group: what nobody sees does not count, nor do other forms of a letter or a space. */
export function sectionOf(group = ''): string {
  return group
    .replace(/[\p{DI}\p{Cf}]/gu, '')
    .normalize('NFKC')
    .replace(/[\s\u2800]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Counts in one pass, several times a second while there are thousands. */
export function countSections(records: Iterable<Member>): Sections {
  const sections = inSections(records, ({ details }) => sectionOf(details.group));
  return new Map(
    sections.map(([section, members]) => [
      section,
      {
        name: section && (members[0]?.details.group ?? section),
        total: members.length,
        attention: members.filter(({ status }) => needsAttention(status)).length,
      },
    ]),
  );
}

/** Returns the section of each session, section by section; undefined where none has a group. The order inside stays. */
export function arrange(
  numeros: readonly string[],
  sectionOfNumero: (numero: string) => string,
): ReadonlyMap<string, string> | undefined {
  const sections = inSections(numeros, sectionOfNumero);
  if (sections.length === 0) return undefined;
  return new Map(
    sections.flatMap(([section, list]) => list.map((numero): [string, string] => [numero, section])),
  );
}

/** Whether both have the same sections, with the same counts. */
export function haveSameCounts(one: Sections, other: Sections): boolean {
  return JSON.stringify([...one]) === JSON.stringify([...other]);
}

/** Sections with what is in them; none where nothing is in a group. */
function inSections<One>(
  all: Iterable<One>,
  sectionOfOne: (one: One) => string,
): [section: string, members: One[]][] {
  const sections = new Map<string, One[]>();
  for (const one of all) {
    const section = sectionOfOne(one);
    const members = sections.get(section) ?? [];
    if (members.length === 0) sections.set(section, members);
    members.push(one);
  }
  if (![...sections.keys()].some(Boolean)) return [];
  return [...sections].sort(
    ([one], [other]) => Number(one === '') - Number(other === '') || alphabet.compare(one, other),
  );
}
