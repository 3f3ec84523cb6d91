import type { Bench } from './browser.ts';
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
export interface Compared<T> {
  readonly floor: T[];
  readonly panel: T[];
}

/** Measures both pages in turn, so that whatever else the machine does meets both. */
export async function inTurn<T>(
  rounds: number,
  measure: (page: 'floor' | 'panel') => Promise<T>,
): Promise<Compared<T>> {
  const compared: Compared<T> = { floor: [], panel: [] };
  for (let round = 0; round < rounds; round += 1) {
    compared.floor.push(await measure('floor'));
    compared.panel.push(await measure('panel'));
  }
  return compared;
}
