import type { Scope } from '../support/scope.ts';
import type { Random } from './random.ts';

/** What a round did, counted by kind; the counts of several rounds are added up. */
export type Figures = Readonly<Record<string, number>>;

/** One attack on the running product. A round takes seconds, starts its own target, and rejects with what failed. */
export interface Attack {
  /** Its name on the command line: `npm run attack -- frames`. */
  readonly name: string;
  /** What must hold, as the name of the test. */
  readonly promise: string;
  /** @param time the time left, in milliseconds, for rounds that find more when they are longer */
  round(scope: Scope, random: Random, time: number): Promise<Figures>;
}
