import type { ListState } from './list-view.ts';

export type Item = Heading | SessionItem | FoldLine;

interface Heading {
  readonly kind: 'heading';
  readonly section: string;
  shown: boolean;
  readonly closed: boolean;
}

interface SessionItem {
  readonly kind: 'session';
  readonly numero: string;
  /** Whether it is neither filtered out nor folded. */
  readonly shown: boolean;
}

/** The line that stands for the sessions of a section that are well. */
interface FoldLine {
  readonly kind: 'fold';
  readonly section: string;
  count: number;
  readonly open: boolean;
}

/** Returns the sessions with the headings of their sections, and a line before those of a section that are well. */
export function itemsOf({ numeros, sections, found, folds, calm }: ListState): readonly Item[] {
  const items: Item[] = [];
  const isCalm = new Set(calm);
  let heading: Heading | undefined;
  let line: FoldLine | undefined;
  for (const numero of numeros) {
    const section = sections?.get(numero);
    const fold = section === undefined ? 'open' : folds.get(section);
    // A filter finds what is folded.
    const shown = found ? found.has(numero) : fold ? fold === 'open' : !isCalm.has(numero);
    if (section !== undefined) {
      if (heading?.section !== section) {
        heading = { kind: 'heading', section, shown: !found, closed: fold === 'closed' };
        items.push(heading);
      }
      heading.shown ||= shown;
      if (isCalm.has(numero) && !found && !heading.closed) {
        if (line?.section !== section) {
          line = { kind: 'fold', section, count: 0, open: fold === 'open' };
          items.push(line);
        }
        line.count += 1;
      }
    }
    items.push({ kind: 'session', numero, shown });
  }
  return items;
}

/** The sessions that are neither filtered out nor folded, in the order to show. */
export function visibleIn(state: ListState): readonly string[] {
  return itemsOf(state).flatMap((item) => (item.kind === 'session' && item.shown ? item.numero : []));
}
