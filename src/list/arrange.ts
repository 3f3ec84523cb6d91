/** Which sessions are shown, how, and in which order, as a pure function. */
import { bySection } from '../session/counts.ts';
import { sectionOf } from '../session/groups.ts';
import type { SessionRecord } from '../session/record.ts';
import { CONDITIONS, needsAttention, severityOf } from '../session/states.ts';
import type { Order, ShownView, ViewSettings } from '../settings.ts';
import type { Translate } from '../texts/translate.ts';
import { compile, type Filter, NO_FILTER } from './filter.ts';

/** From this many sessions on there is a bar: a glance does not find one. */
const MANY = 9;

export type Item = Heading | SessionItem | FoldLine;

export interface Heading {
  readonly kind: 'heading';
  readonly section: string;
  visible: boolean;
  readonly closed: boolean;
}

interface SessionItem {
  readonly kind: 'session';
  readonly numero: string;
  /** Undefined where the list has no sections, and for what comes in while others keep their places. */
  readonly section: string | undefined;
  /** Whether it is neither filtered out nor folded. */
  readonly visible: boolean;
  /** Whether its section folds it: in the order of attention, where it is connected, and was before the last choice. */
  readonly foldable: boolean;
}

/** The line that stands for the connected sessions of a section. */
export interface FoldLine {
  readonly kind: 'fold';
  readonly section: string;
  count: number;
  readonly open: boolean;
}

export interface Arrangement extends Filter {
  /** Whether the bar is shown: like the sessions, it does not come or go under the operator's hand. */
  readonly hasBar: boolean;
  readonly view: ShownView;
  readonly order: Order;
  /** All sessions in the order to show, visible or not, with the headings and lines of their sections. */
  readonly items: readonly Item[];
}

/** What the host page asks for. */
export type Wanted = Readonly<Pick<ViewSettings, 'view' | 'order'>>;

/** What the operator chooses in the bar. The page decides on a view or an order that is not chosen. */
export type Choice = Partial<Filter & Pick<Arrangement, 'view' | 'order'>>;

/** What decides on the arrangement beside the sessions. */
export interface Terms {
  readonly wanted: Wanted;
  readonly choice: Choice;
  /** The sections that show nothing or everything; the others show what is not connected. */
  readonly folds: ReadonlyMap<string, 'closed' | 'open'>;
  /** A session that the operator has just added: it comes first, whatever the filter, until the next choice. */
  readonly added?: string | undefined;
  /** What is not folded until the next choice: what has become connected since the last one, and what was added. */
  readonly inSight: ReadonlySet<string>;
}

/** The sessions of an arrangement, visible or not. */
export function sessionsIn({ items }: Arrangement): readonly SessionItem[] {
  return items.filter((item) => item.kind === 'session');
}

export function visibleIn(arrangement: Arrangement): readonly string[] {
  return sessionsIn(arrangement).flatMap(({ numero, visible }) => (visible ? numero : []));
}

/** Whether something is looked for: not all sessions may match. */
export const isFiltered = ({ query, bucket, section }: Filter): boolean =>
  query.trim() !== '' || bucket !== undefined || section !== undefined;

/**
 * The operator's choices apply as long as there is a bar to take them back: below nine sessions the page's view and order
 * apply, and nothing is filtered.
 */
function settingsFor(count: number, { wanted, choice }: Terms): Omit<Arrangement, 'items'> {
  const hasBar = count >= MANY;
  const byPage = wanted.view === 'list' || (hasBar && wanted.view === 'auto') ? 'list' : 'cards';
  const { view = byPage, order = wanted.order, ...filter } = hasBar ? choice : {};
  const byView = view === 'list' ? 'attention' : 'server';
  return { hasBar, view, order: order ?? byView, ...NO_FILTER, ...filter };
}

/**
 * Arranges the sessions.
 *
 * @param records - in the order of the server
 * @param before - given where no session may move: new ones come last
 */
export function arrange(
  t: Translate,
  records: readonly SessionRecord[],
  terms: Terms,
  before?: Arrangement,
): Arrangement {
  const { folds, added, inSight } = terms;
  const settings = before ?? settingsFor(records.length, terms);
  const { view, order } = settings;
  const filter = isFiltered(settings) ? compile(settings) : undefined;
  const byAttention = order === 'attention';

  const isFoldable = (record: SessionRecord) =>
    byAttention && isConnected(record) && !inSight.has(numeroOf(record));

  const keyOf = (record: SessionRecord) =>
    numeroOf(record) === added ? FIRST : isFoldable(record) ? LAST : sortKeyOf(record);

  const byUrgency = (some: readonly SessionRecord[]) =>
    some
      .map((record) => [record, ...keyOf(record)] as const)
      .sort(([, one, oneThen], [, other, otherThen]) => one - other || oneThen - otherThen)
      .map(([record]) => record);

  function place(record: SessionRecord, section?: string): SessionItem {
    const numero = numeroOf(record);
    const foldable = isFoldable(record);
    const matches = numero === added || (filter?.(record) ?? true);
    // A filter finds what is folded.
    const fold = section === undefined || filter ? 'open' : folds.get(section);
    return {
      kind: 'session',
      numero,
      section,
      visible: matches && (fold === 'open' || (!fold && !foldable)),
      foldable,
    };
  }

  function sort(): readonly SessionItem[] {
    const sorted = byAttention ? byUrgency(records) : records;
    const sections = new Map(view === 'list' ? bySection(t, sorted, sectionOfRecord) : []);
    if (sections.size === 0) return sorted.map((record) => place(record));
    // Each section comes where its first session in sight belongs, or else by the alphabet.
    const leading = sorted.filter((record) => byAttention && !isFoldable(record));
    const names = new Set([...leading.map(sectionOfRecord), ...sections.keys()]);
    return [...names].flatMap((name) => (sections.get(name) ?? []).map((record) => place(record, name)));
  }

  function keepOrder(shown: readonly SessionItem[]): readonly SessionItem[] {
    const left = new Map(records.map((record) => [numeroOf(record), record]));
    const kept = shown.filter(({ numero }) => left.delete(numero));
    return [...kept, ...Array.from(left.values(), (record) => place(record))];
  }

  const sessions = before ? keepOrder(sessionsIn(before)) : sort();
  return { ...settings, items: withHeadings(sessions, folds, !!filter) };
}

/** Sort keys: of the session that was just added, and of those that are folded. */
const FIRST = [-1, 0] as const;
const LAST = [Infinity, 0] as const;

/** Adds the headings of the sections, and a line before what each folds. */
function withHeadings(
  sessions: readonly SessionItem[],
  folds: Terms['folds'],
  hasFilter: boolean,
): readonly Item[] {
  const items: Item[] = [];
  let heading: Heading | undefined;
  let line: FoldLine | undefined;
  for (const session of sessions) {
    const { section, visible, foldable } = session;
    if (section !== undefined) {
      const fold = folds.get(section);
      if (heading?.section !== section) {
        heading = { kind: 'heading', section, visible: !hasFilter, closed: fold === 'closed' };
        items.push(heading);
      }
      heading.visible ||= visible;
      if (foldable && !hasFilter && fold !== 'closed') {
        if (line?.section !== section) {
          line = { kind: 'fold', section, count: 0, open: fold === 'open' };
          items.push(line);
        }
        line.count += 1;
      }
    }
    items.push(session);
  }
  return items;
}

export const isConnected = (record: SessionRecord | undefined): boolean => record?.status.asks === 'nothing';

const numeroOf = ({ session }: SessionRecord): string => session.numero;

const sectionOfRecord = ({ details }: SessionRecord): string => sectionOf(details.group);

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

/** By the condition, or by the codes of docs/reasons.md. An operator has unlinked a session with `unlinked`. */
const URGENT: ReadonlyMap<string | undefined, Urgency> = new Map([
  ['restricted', 'restricted'],
  ['banned', 'restricted'],
  ['UNPAIRED', 'unlinked'],
  ['logged-out', 'unlinked'],
  ['device-removed', 'unlinked'],
]);

function urgencyOf({ status, details }: SessionRecord): Urgency {
  const severity = severityOf(status.asks);
  if (severity !== 'attention') return severity;
  const { condition, droppedAt } = status;
  const urgency = CONDITIONS[condition].urgency ?? URGENT.get(condition) ?? URGENT.get(details.reason?.code);
  if (urgency || droppedAt !== undefined) return urgency ?? 'dropped';
  return CONDITIONS[condition].patience === undefined ? 'attention' : 'stuck';
}

/** The place of a session in the order of attention, as two numbers to compare, the smaller first. */
export function sortKeyOf(record: SessionRecord): readonly [urgency: number, age: number] {
  const { status, details, stateSince } = record;
  // The newest first; what nobody has to look at keeps the order of the server.
  const age = needsAttention(status) ? -(details.since ?? stateSince) : 0;
  return [URGENCIES.indexOf(urgencyOf(record)), age];
}

/** Returns what of a session decides on its place: what else changes arranges nothing. */
export function traitsOf(arrangement: Arrangement, record: SessionRecord | undefined): string | undefined {
  if (!record) return undefined;
  const { view, order } = arrangement;
  const hasFilter = isFiltered(arrangement);
  return String([
    view === 'list' && sectionOfRecord(record),
    (order === 'attention' || hasFilter) && sortKeyOf(record),
    hasFilter && compile(arrangement)(record),
  ]);
}
