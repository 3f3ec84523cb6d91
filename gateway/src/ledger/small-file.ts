import { readFileSync, statSync } from 'node:fs';

/** Most bytes of a file that an operator writes by hand. */
const MOST = 1_000_000;

/** The file is not a small regular file; the message is the rest of a sentence about it. */
class OddFile extends Error {
  override readonly name = 'OddFile';
}

/** Returns the content of a small file. Throws an {@link OddFile}, or Node's error. */
export function readSmallFile(file: string): Buffer {
  // Before it is opened: a pipe would wait for its writer, and an endless file has no size.
  const stats = statSync(file);
  if (!stats.isFile()) throw new OddFile('is not a regular file');
  if (stats.size > MOST) throw new OddFile('is larger than 1 MB');
  return readFileSync(file);
}

/** Like {@link readSmallFile}, for a text; editors on Windows may begin a file with a byte order mark. */
export function readSmallText(file: string): string {
  return readSmallFile(file)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

/**
 * Returns why a file cannot be read, as the end of a sentence.
 *
 * @param advice what to do if it is missing, or no file of this kind
 */
export function whyUnread(error: unknown, advice = ''): string {
  if (error instanceof OddFile) return error.message + advice;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  if (code === 'ENOENT') return `does not exist${advice}`;
  return `cannot be read (${code}): give this user read permission`;
}
