/** What an examination found. */
export interface Diagnosis {
  /** One line for each check: `ok` and what is right; `wrong`, what is, and the next step; `?` and what is not known. */
  readonly lines: readonly string[];
  readonly isWell: boolean;
}

/** Returns what is right; what is wrong is thrown as a {@link Fault}. */
export type Check = () => string | Promise<string>;

/** Something is wrong; the message says what, and the next step. */
export class Fault extends Error {
  override readonly name: string = 'Fault';
}

/** Something cannot be known; the message says what, and how to find out. */
export class Unsettled extends Error {
  override readonly name = 'Unsettled';
}

/** Runs each group of checks up to the first that fails: those after it could only say the same. */
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
