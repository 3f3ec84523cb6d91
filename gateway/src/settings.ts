import { parseArgs } from 'node:util';
import { readSmallText, whyUnread } from './ledger/small-file.ts';
import {
  everyOption,
  fileOptions,
  isOption,
  OPTIONS,
  type OptionName,
  type Values,
  variableOf,
} from './options.ts';
import { inColumns, printable } from './terminal.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** An option as it was set. */
interface Given {
  /** Its name there, for messages. */
  readonly from: string;
  /** Texts, or any values of the file. */
  readonly values: readonly unknown[];
}

/** The command line, the variables `WO_*` and the file of `--config`: the first that has an option decides its value. */
export class Settings {
  /** The arguments that are not options. */
  readonly operands: string[] = [];
  /** One sentence for each mistake in what has been read. */
  readonly problems = new Set<string>();
  readonly #given = new Map<OptionName, Given>();

  constructor(args: readonly string[], environment: Environment) {
    this.#readFlags(args);
    for (const { name, repeatable } of everyOption()) {
      const from = variableOf(name);
      const variable = environment[from];
      if (variable !== undefined) this.#give(name, from, repeatable ? variable.split(',') : [variable]);
    }
    const file = this.one('config');
    if (file !== undefined) this.#readFile(file);
    for (const { name } of fileOptions()) this.many(name);
  }

  has(name: OptionName): boolean {
    return this.#given.has(name);
  }

  /** Whether the command line sets the option. */
  isFlag(name: OptionName): boolean {
    return this.#given.get(name)?.from === `--${name}`;
  }

  /** Returns what the operator calls the option: the flag, the variable, or the file's property. */
  nameOf(name: OptionName): string {
    return this.#given.get(name)?.from ?? `--${name}`;
  }

  /** Returns the last value; undefined if there is none or it is invalid. */
  one<N extends OptionName>(name: N): Values[N] | undefined {
    return this.many(name)?.at(-1);
  }

  many<N extends OptionName>(name: N): Values[N][] | undefined {
    const given = this.#given.get(name);
    if (!given) return undefined;
    const { parse, takes } = OPTIONS[name];
    const parsed: Values[N][] = [];
    for (const item of given.values) {
      const value = typeof item === 'object' ? undefined : parse(String(item));
      if (value !== undefined) parsed.push(value);
      // Without the value: it may hold a password, whatever the option.
      else this.problems.add(`${given.from} takes ${takes}.`);
    }
    return parsed.length === given.values.length ? parsed : undefined;
  }

  /** One line for each option: its value and source. */
  get text(): string {
    const rows = fileOptions().map(({ name, secret, default: preset = 'none', value }) => {
      const given = this.#given.get(name);
      if (!given) return [name, value === undefined ? 'off' : preset, 'default'];
      const shown = this.many(name) ? given.values.join(', ') : '(invalid)';
      return [name, secret ? '(set)' : shown, given.from];
    });
    return inColumns(rows)
      .map((line) => `${line}\n`)
      .join('');
  }

  #give(name: OptionName, from: string, values: readonly unknown[]): void {
    if (!this.#given.has(name)) this.#given.set(name, { from, values });
  }

  #readFlags(args: readonly string[]): void {
    const options = Object.fromEntries(
      everyOption().map(({ name, value, short }) => {
        const type: 'boolean' | 'string' = value === undefined ? 'boolean' : 'string';
        return [name, { type, ...(short && { short }) }];
      }),
    );
    // Strict parsing takes the value in `--port -1` for another option, and stops at the first mistake.
    const { tokens } = parseArgs({
      args: [...args],
      options,
      strict: false,
      allowPositionals: true,
      tokens: true,
    });
    for (const token of tokens) {
      if (token.kind === 'positional') this.operands.push(token.value);
      if (token.kind !== 'option') continue;
      const { name, rawName, value } = token;
      if (!isOption(name)) {
        // The name may end in a secret or a URL, if the space or the sign between them is missing.
        const isSecret =
          rawName.includes('://') ||
          everyOption().some((one) => one.secret && rawName.startsWith(`--${one.name}`));
        this.problems.add(`Unknown option${isSecret ? '' : ` '${printable(rawName)}'`}; see --help.`);
        continue;
      }
      const { value: placeholder, takes } = OPTIONS[name];
      if (placeholder === undefined && value !== undefined) this.problems.add(`--${name} takes no value.`);
      else if (placeholder !== undefined && value === undefined)
        this.problems.add(`--${name} takes ${takes}.`);
      else {
        const { values = [] } = this.#given.get(name) ?? {};
        this.#given.set(name, { from: `--${name}`, values: [...values, value ?? 'true'] });
      }
    }
  }

  #readFile(file: string): void {
    for (const [name, value] of Object.entries(readObject(file, this.problems))) {
      const from = `"${printable(name)}" in ${printable(file)}`;
      if (name === '$schema') continue;
      if (!isOption(name) || OPTIONS[name].notInFile)
        this.problems.add(`${from} is not an option; see --help.`);
      else this.#give(name, from, Array.isArray(value) && OPTIONS[name].repeatable ? value : [value]);
    }
  }
}

/** Returns the options in a configuration file; none, and a sentence in `problems`, if it cannot be used. */
function readObject(file: string, problems: Set<string>): object {
  const name = `The configuration file '${printable(file)}'`;
  try {
    const value: unknown = JSON.parse(readSmallText(file));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    problems.add(`${name} must hold an object, such as {"port": 9000}.`);
  } catch (error) {
    // The error of JSON may quote a token.
    const why =
      error instanceof SyntaxError
        ? 'is not valid JSON: check commas, quotes and brackets'
        : whyUnread(error, ': name another with --config');
    problems.add(`${name} ${why}.`);
  }
  return {};
}
