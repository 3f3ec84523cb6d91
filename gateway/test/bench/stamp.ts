/** The content of a benchmark push, as its state text: its index, and when it was due. */
interface Stamp {
  readonly index: number;
  /** By the clock of `now.ts`. */
  readonly due: number;
}

const MARK = 'PUSH ';

export function writeStamp({ index, due }: Stamp): string {
  return `${MARK}${index} ${due} `;
}

/** Returns the stamp in a message; undefined if there is none. */
export function readStamp(message: string): Stamp | undefined {
  const start = message.indexOf(MARK);
  if (start < 0) return undefined;
  const space = message.indexOf(' ', start + MARK.length);
  const end = message.indexOf(' ', space + 1);
  return { index: Number(message.slice(start + MARK.length, space)), due: Number(message.slice(space, end)) };
}
