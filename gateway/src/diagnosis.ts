export interface Diagnosis {
  /** One line for each check: `ok` and the result; `wrong`, the problem and the next step; `?` and what only the operator can judge. */
  readonly lines: readonly string[];
  readonly isWell: boolean;
}

/** Returns the result; throws a problem as a {@link Fault}. */
export type Check = () => string | Promise<string>;

/** A problem; the message names it and the next step. */
export class Fault extends Error {
  override readonly name: string = 'Fault';
}

/** Only the operator can judge it; the message says what it is, and how to find out or what to do. */
export class Unsettled extends Error {
  override readonly name = 'Unsettled';
}

/** Tolerated error of a clock, in milliseconds. */
const DRIFT = 60_000;

/**
 * Compares this machine's clock with another one. Throws a {@link Fault}.
 *
 * @param theirs in milliseconds since 1970
 */
export function checkClock(theirs: number, whose: string, remedy: string): string {
  const seconds = Math.round((Date.now() - theirs) / 1_000);
  if (Math.abs(seconds) * 1_000 <= DRIFT) return `The clock agrees with that of ${whose}.`;
  const difference = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'}`;
  throw new Fault(`The clock is ${difference} that of ${whose}: ${remedy}, by NTP.`);
}

/** Runs each group of checks up to the first failure: later checks could only repeat it. */
export async function diagnose(...groups: readonly (readonly Check[])[]): Promise<Diagnosis> {
  const lines: string[] = [];
  let isWell = true;
  for (const group of groups) {
    for (const check of group) {
      try {
        lines.push(`ok     ${await check()}`);
      } catch (error) {
        if (error instanceof Unsettled) {
          lines.push(`?      ${error.message}`);
          continue;
        }
        if (!(error instanceof Fault)) throw error;
        isWell = false;
        lines.push(`wrong  ${error.message}`);
        break;
      }
    }
  }
  return { lines, isWell };
}
