import type { Scope } from '../support/scope.ts';
import type { Random } from './random.ts';

/** What one round came to, by what was counted; the counts of several rounds are added up. */
export type Figures = Readonly<Record<string, number>>;

/**
 * One way of attacking the running product. A round takes seconds, starts what it attacks by itself, and rejects when
 * something gives way, with what it was.
 */
export interface Attack {
  /** As on the command line: `npm run attack -- frames`. */
  readonly name: string;
  /** What must hold, as the name of the test. */
  readonly promise: string;
  /** @param time - what is left for it in milliseconds: a round that can tell more when it is longer may use it. */
  round(scope: Scope, random: Random, time: number): Promise<Figures>;
}
