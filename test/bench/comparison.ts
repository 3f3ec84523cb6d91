import type { Bench } from './browser.ts';
import type { PageName } from './pages.ts';
import type { Row } from './row.ts';
import type { Gateways } from './server/gateways.ts';

/** What a measure has to work with. */
export interface Setting {
  readonly bench: Bench;
  readonly gateways: Gateways;
  readonly rounds: number;
  /** Fewer samples in each round, and one round with thousands of sessions. */
  readonly quick: boolean;
}

export type Measure = (setting: Setting) => Promise<Row[]>;

/** Everything measured on one page, a value for each round. */
type Compared<Name extends PageName, T> = Readonly<Record<Name, T[]>>;

/** Measures pages in turn, so that whatever else the machine does meets all of them. */
export async function takeTurns<Name extends PageName, T>(
  rounds: number,
  pages: readonly Name[],
  measure: (page: Name) => Promise<T>,
): Promise<Compared<Name, T>> {
  const compared = Object.fromEntries(pages.map((page) => [page, [] as T[]])) as Record<Name, T[]>;
  for (let round = 0; round < rounds; round += 1)
    for (const page of pages) compared[page].push(await measure(page));
  return compared;
}

/** Measures the floor and the panel in turn. */
export function inTurn<T>(rounds: number, measure: (page: 'floor' | 'panel') => Promise<T>) {
  return takeTurns(rounds, ['floor', 'panel'], measure);
}
