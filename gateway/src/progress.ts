import { statSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { sessionsIn } from './terminal.ts';

/**
 * Takes how far work is. Work may call it for each session: it calls `line` only to show it, and again while the work
 * waits.
 */
export type Report = (line: () => string) => void;

/** Work that takes less shows nothing, in milliseconds. */
const QUIET = 1_000;
/** Between two lines, in milliseconds: on a terminal, where one takes the place of the other, and elsewhere. */
const INTERVALS = { terminal: 100, other: 5_000 };
/** Of a terminal that does not say it. */
const COLUMNS = 80;
const ERASE_TO_END = '\x1b[K';

/**
 * Runs work that may take long, and shows how far it is: on a terminal one line, which is gone at the end, elsewhere a
 * line every few seconds. Settles as the work does.
 */
export async function withProgress<T>(
  task: (report: Report) => Promise<T>,
  stream: Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns'>> = process.stderr,
): Promise<T> {
  const interval = stream.isTTY ? INTERVALS.terminal : INTERVALS.other;
  let line = () => '';
  let shown = '';
  let due = performance.now() + QUIET;
  const show = () => {
    const now = performance.now();
    if (now < due) return;
    const text = line();
    if (text === shown) return;
    due = now + interval;
    shown = text;
    if (!stream.isTTY) stream.write(`${text}\n`);
    // A full line would wrap.
    else stream.write(`\r${text.slice(0, (stream.columns || COLUMNS) - 1)}${ERASE_TO_END}`);
  };
  // Work must not end because nobody reads how far it is.
  stream.on('error', () => {});
  const timer = setInterval(show, INTERVALS.terminal);
  try {
    return await task((next) => {
      line = next;
      show();
    });
  } finally {
    clearInterval(timer);
    if (stream.isTTY && shown !== '') stream.write(`\r${ERASE_TO_END}`);
  }
}

/**
 * Yields sessions, and reports how many are done.
 *
 * @param done what is done with them, as a participle
 */
export function* counted<T>(sessions: readonly T[], done: string, report?: Report): Generator<T, void> {
  for (const [count, session] of sessions.entries()) {
    report?.(() => `${count} of ${sessionsIn(sessions.length)} ${done}`);
    yield session;
  }
}

/** Returns the size of a file in whole megabytes; 0 while it is missing. */
export function megabytesIn(file: string): number {
  const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return Math.round(size / 1_000_000);
}
