import { parseArgs } from 'node:util';
import { readObject } from './config-file.ts';
import {
  everyOption,
  fileOptions,
  isOption,
  OPTIONS,
  type OptionName,
  type Values,
  variableOf,
} from './options.ts';
import { inColumns, quotable } from './terminal.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Options whose values look like plain words, and that must not get into a log. */
const WORDS = ['token', 'server-key', 'notify-secret', 'proxy'] as const satisfies OptionName[];

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
    const { parse, takes, secret } = OPTIONS[name];
    const parsed: Values[N][] = [];
    for (const item of given.values) {
      const text = textOf(item);
      const value = typeof item === 'object' ? undefined : parse(text);
      if (value !== undefined) parsed.push(value);
      else {
        const quoted = secret || text === '' ? '' : `, not '${quotable(text)}'`;
        this.problems.add(`${given.from} takes ${takes}${quoted}.`);
      }
    }
    return parsed.length === given.values.length ? parsed : undefined;
  }

  /** One line for each option: its value and source. */
  get text(): string {
    const rows = fileOptions().map(({ name, secret, default: preset = 'none', value }) => {
      const given = this.#given.get(name);
      if (!given) return [name, value === undefined ? 'off' : preset, 'default'];
      const texts = given.values.map((item) => quotable(textOf(item)));
      return [name, secret ? '(set)' : texts.join(', '), given.from];
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
        // The name may end in a secret, if the space or the sign between them is missing.
        const quoted = WORDS.some((word) => rawName.startsWith(`--${word}`)) ? '' : ` '${quotable(rawName)}'`;
        this.problems.add(`Unknown option${quoted}; see --help.`);
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
    // An operand may be the end of an unquoted token with a space, which must not get into a log.
    if (this.has('token') && this.operands.length > 0) {
      this.problems.add('Unexpected argument; see --help.');
      this.operands.length = 0;
    }
  }

  #readFile(file: string): void {
    for (const [name, value] of Object.entries(readObject(file, this.problems))) {
      const from = `"${quotable(name)}" in ${quotable(file)}`;
      if (name === '$schema') continue;
      if (!isOption(name) || OPTIONS[name].notInFile)
        this.problems.add(`${from} is not an option; see --help.`);
      else this.#give(name, from, Array.isArray(value) && OPTIONS[name].repeatable ? value : [value]);
    }
  }
}

/** No value may contain others, which could be nested too deeply to print. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? '[…]' : '{…}';
}
