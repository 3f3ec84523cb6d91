import { OddFile, readSmallFile } from './ledger/small-file.ts';
import { quotable } from './terminal.ts';

/** Returns the options in a configuration file; none, and a sentence in `problems`, if it cannot be used. */
export function readObject(file: string, problems: Set<string>): object {
  const name = `The configuration file '${quotable(file)}'`;
  try {
    // Editors on Windows may begin a file with a byte order mark.
    const text = readSmallFile(file)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    problems.add(`${name} must hold an object, such as {"port": 9000}.`);
  } catch (error) {
    problems.add(`${name} ${whyUnread(error)}.`);
  }
  return {};
}

/** Does not quote the error of JSON, which may quote a token. */
function whyUnread(error: unknown): string {
  if (error instanceof SyntaxError) return 'is not valid JSON: check commas, quotes and brackets';
  if (error instanceof OddFile) return `${error.message}: name another with --config`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  if (code === 'ENOENT') return 'does not exist: name another with --config';
  return `cannot be read (${code}): give this user read permission`;
}
