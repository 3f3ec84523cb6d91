/** The results of an examination. */
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
