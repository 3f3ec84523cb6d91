import { readSmallText, whyUnread } from './ledger/small-file.ts';
import { printable } from './terminal.ts';

/** Returns the options in a configuration file; none, and a sentence in `problems`, if it cannot be used. */
export function readObject(file: string, problems: Set<string>): object {
  const name = `The configuration file '${printable(file)}'`;
  try {
    const value: unknown = JSON.parse(readSmallText(file));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    problems.add(`${name} must hold an object, such as {"port": 9000}.`);
  } catch (error) {
    problems.add(`${name} ${whyUnusable(error)}.`);
  }
  return {};
}

/** Does not quote the error of JSON, which may quote a token. */
function whyUnusable(error: unknown): string {
  if (error instanceof SyntaxError) return 'is not valid JSON: check commas, quotes and brackets';
  return whyUnread(error, ': name another with --config');
}
