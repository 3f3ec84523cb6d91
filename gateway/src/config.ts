import { parseArgs } from 'node:util';
import type { RemoteOptions } from './engines/fleet.ts';
import { REMOTE_ENGINES, type RemoteName } from './engines/remote/names.ts';
import type { GatewayOptions } from './gateway.ts';
import { FolderError } from './ledger/folder.ts';
import { hostUrls } from './ledger/hosts.ts';
import { cipherOfFile } from './ledger/key-file.ts';
import type { MigrateOptions } from './ledger/migrate.ts';
import { OddFile, readSmallFile } from './ledger/small-file.ts';
import { LOG_LEVELS, type LogLevel } from './log.ts';
import {
  ENGINES,
  everyOption,
  isOption,
  MAX_LEASE,
  MAX_PORT,
  MAX_SESSIONS,
  MAX_SPEED,
  MIN_LEASE,
  MIN_TOKEN,
  OPTIONS,
  type OptionInfo,
  type OptionName,
  optionInfo,
  variableOf,
} from './options.ts';
import { isEverywhere, isTrustable, LOOPBACK, parseHost } from './security/addresses.ts';
import { inColumns, quotable } from './terminal.ts';

const DEFAULT_DATA = 'whatsapp-data';
const DEFAULT_PORT = 8080;

/** A mistake on the command line, in the environment or in the configuration file: one sentence per line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What the command line requests. */
export type Command =
  | { readonly name: 'help' | 'version' }
  | { readonly name: 'serve'; readonly options: GatewayOptions; readonly logLevel: LogLevel }
  /** Shows what `serve` would use. */
  | { readonly name: 'check'; readonly text: string; readonly problems: readonly string[] }
  | StoreCommand
  | ClusterCommand;

/** A command on the gateways that share a database. */
export type ClusterCommand = { readonly database: string } & (
  | { readonly name: 'nodes' | 'rotate' }
  | { readonly name: 'drain'; readonly node: string }
  /** Moves the sessions of stopped gateways between the database and a folder. */
  | ({ readonly name: 'migrate' } & MigrateOptions)
);

/** A command on the store in `folder`. */
export type StoreCommand = { readonly folder: string } & (
  | { readonly name: 'backup' | 'restore'; readonly file: string }
  | {
      readonly name: 'list';
      readonly keyFile: string | undefined;
      /** Lists its sessions instead. */
      readonly database: string | undefined;
    }
  | {
      readonly name: 'doctor';
      readonly keyFile: string | undefined;
      readonly url: string | undefined;
      /** The server that is examined instead of the folder. */
      readonly remote: RemoteOptions | undefined;
    }
  | {
      readonly name: 'rekey';
      readonly keyFile: string | undefined;
      readonly newKeyFile: string;
      /** Changes its key instead. */
      readonly database: string | undefined;
    }
);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the command line, the variables `WO_*` and the file of `--config`; the first source that has an option decides
 * its value. Throws a {@link UsageError} with all mistakes, except with `--check`, which reports them itself.
 */
export function readCommand(args: readonly string[], environment: Environment = process.env): Command {
  const problems: string[] = [];
  const { flags, operands } = readFlags(args, problems);
  if (flags.has('help')) return { name: 'help' };
  if (flags.has('version')) return { name: 'version' };

  const settings = new Settings(flags, environment, problems);
  const command = commandOf(operands, settings, problems);
  if (settings.isOn('check')) {
    problems.push(...unknownVariables(environment), ...keyFileProblems(command));
    return { name: 'check', text: settings.text, problems };
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return command;
}

function commandOf(
  [name, file, ...rest]: readonly string[],
  settings: Settings,
  problems: string[],
): Command {
  const { gateway, folder, keyFile, url, newKeyFile, logLevel } = optionsOf(settings, problems, name);
  const database = gateway.cluster?.database;
  if (rest.length > 0) problems.push(`Unexpected argument '${quotable(rest[0] ?? '')}'; see --help.`);
  switch (name) {
    case undefined:
      return { name: 'serve', options: gateway, logLevel };
    case 'backup':
    case 'restore':
      if (file === undefined) problems.push(`${name} takes a file, such as: ${name} sessions.backup.`);
      return { name, folder, file: file ?? '' };
    case 'list':
    case 'doctor':
    case 'rekey': {
      if (file !== undefined) problems.push(`Unexpected argument '${quotable(file)}'; see --help.`);
      if (name === 'doctor') return { name, folder, keyFile, url, remote: gateway.remote };
      // A named folder takes precedence over the environment's database.
      const source = settings.isFlag('data') && !settings.isFlag('database') ? undefined : database;
      if (name === 'list') return { name, folder, keyFile, database: source };
      if (newKeyFile === undefined) problems.push('rekey takes the new key with --new-key-file.');
      return { name, folder, keyFile, newKeyFile: newKeyFile ?? '', database: source };
    }
    case 'nodes':
    case 'rotate':
      if (file !== undefined) problems.push(`Unexpected argument '${quotable(file)}'; see --help.`);
      return { name, database: database ?? '' };
    case 'drain':
      if (!file) problems.push("drain takes a gateway's id or URL, as nodes shows them.");
      return { name, database: database ?? '', node: file ?? '' };
    case 'migrate':
      if (file !== 'database' && file !== 'data') {
        problems.push('migrate takes where the sessions go: database, or data for the folder of --data.');
      }
      return { name, to: file === 'data' ? file : 'database', folder, database: database ?? '', keyFile };
    default:
      problems.push(`There is no command '${quotable(name)}'; see --help.`);
      return { name: 'help' };
  }
}

function optionsOf(settings: Settings, problems: string[], command: string | undefined) {
  const token = settings.one('token', parseToken);
  const typedHost = settings.one('host', (text) => text);
  const host = settings.one('host', parseHost);
  if (host !== undefined && host !== LOOPBACK && token === undefined && !settings.has('token')) {
    problems.push(
      `${settings.nameOf('host')} ${typedHost} requires --token or WO_TOKEN: only ${LOOPBACK} does without.`,
    );
  }
  const metricsPort = settings.one('metrics-port', wholeNumber(MAX_PORT));
  const port = settings.one('port', wholeNumber(MAX_PORT));
  if (metricsPort !== undefined && metricsPort !== 0 && metricsPort === (port ?? DEFAULT_PORT)) {
    problems.push(`${settings.nameOf('metrics-port')} takes another port than --port, not '${metricsPort}'.`);
  }
  const engine = settings.one('engine', oneOf(ENGINES)) ?? 'simulated';
  const folder = settings.one('data', notEmpty) ?? DEFAULT_DATA;
  const keyFile = settings.one('key-file', notEmpty);
  const url = settings.one('whatsapp-url', parseSocketUrl);
  const sessions = settings.one('sessions', wholeNumber(MAX_SESSIONS));
  const speed = settings.one('speed', parseSpeed);
  const server = settings.one('server', parseServer);
  const serverKey = settings.one('server-key', parseKey);
  if (command === undefined && !settings.isWrong('engine')) {
    for (const [name, engines] of Object.entries(ENGINES_OF)) {
      // The environment and the file may hold options of another engine.
      if (isOption(name) && settings.isFlag(name) && !engines.includes(engine)) {
        problems.push(`--${name} does not apply to --engine ${engine}.`);
      }
    }
  }
  if (isRemote(engine) && (command === undefined || command === 'doctor')) {
    if (!settings.has('server')) problems.push(`--engine ${engine} requires --server: where its API is.`);
    if (!settings.has('server-key')) problems.push(`--engine ${engine} requires its key: WO_SERVER_KEY.`);
    if (command === undefined && settings.has('database')) {
      problems.push(`--engine ${engine} does not apply with --database: the sessions are its server's.`);
    }
  }
  if (command !== 'rekey' && settings.has('new-key-file'))
    problems.push(`${settings.nameOf('new-key-file')} applies to rekey only.`);

  const cluster = clusterOf(settings, problems, command, host);
  const metrics = settings.isOn('metrics') || metricsPort !== undefined;
  function phonesOf(): Pick<GatewayOptions, 'whatsapp' | 'remote' | 'sessions' | 'speed'> {
    if (engine === 'simulated') return { sessions, speed };
    if (!isRemote(engine)) return { whatsapp: { folder, url, keyFile } };
    const allowDelete = settings.isOn('allow-delete');
    return {
      remote: { name: engine, url: server ?? '', key: serverKey ?? '', folder, keyFile, allowDelete },
    };
  }
  const gateway: GatewayOptions = {
    port,
    token,
    host,
    trustProxy: settings.many('trust-proxy', (text) => (isTrustable(text) ? text : undefined)),
    allowOrigins: settings.many('allow-origin', parseOrigin),
    publicUrl: settings.one('public-url', parsePublicUrl),
    otherServers: settings.many('other-server', parseOrigin),
    metrics: metrics ? { port: metricsPort } : undefined,
    cluster,
    ...phonesOf(),
  };
  return {
    gateway,
    folder,
    keyFile,
    url,
    newKeyFile: settings.one('new-key-file', notEmpty),
    // With simulated phones, the user needs only the address.
    logLevel: settings.one('log-level', oneOf(LOG_LEVELS)) ?? (engine === 'simulated' ? 'warn' : 'info'),
  };
}

/** Commands that need a database. */
const ON_DATABASE = new Set(['nodes', 'drain', 'rotate', 'migrate']);

/** How the commands on a folder use a database; undefined if they do not. */
const NOT_WITH_DATABASE: Readonly<Record<string, string>> = {
  backup: 'pg_dump copies the database, also while gateways are running',
  restore: 'stop all gateways, and restore the database with pg_restore',
  doctor: 'nodes lists its gateways',
};

function clusterOf(
  settings: Settings,
  problems: string[],
  command: string | undefined,
  host: string | undefined,
): GatewayOptions['cluster'] {
  const database = settings.one('database', parseDatabase);
  const advertise = settings.one('advertise', parseOrigin);
  const lease = settings.one('lease', wholeNumber(MAX_LEASE, MIN_LEASE));
  const maxSessions = settings.one('max-sessions', wholeNumber(MAX_SESSIONS, 1));
  const isGiven = settings.has('database');
  if (command !== undefined && ON_DATABASE.has(command)) {
    if (!isGiven) problems.push(`${command} needs the database of the gateways: --database or WO_DATABASE.`);
  } else if (command !== undefined) {
    const instead = NOT_WITH_DATABASE[command];
    if (isGiven && instead) problems.push(`${command} does not apply to --database: ${instead}.`);
  } else if (isGiven) {
    if (settings.isFlag('data')) problems.push('--data does not apply with --database.');
    if (host !== undefined && isEverywhere(host) && !settings.has('advertise')) {
      problems.push(
        `${settings.nameOf('host')} ${host} with --database requires --advertise, where other gateways reach this one, such as http://10.0.0.5:8080.`,
      );
    }
  } else {
    for (const name of CLUSTER_ONLY) {
      if (settings.isFlag(name)) problems.push(`--${name} applies with --database only.`);
    }
  }
  return database === undefined ? undefined : { database, advertise, lease, maxSessions };
}

const CLUSTER_ONLY = ['advertise', 'lease', 'max-sessions'] as const;

type EngineOption = (typeof ENGINES)[number];

/** The engines of the options that do not apply to all of them. */
const ENGINES_OF: Readonly<Partial<Record<OptionName, readonly EngineOption[]>>> = {
  sessions: ['simulated'],
  speed: ['simulated'],
  data: ['whatsapp', ...REMOTE_ENGINES],
  'key-file': ['whatsapp', ...REMOTE_ENGINES],
  'whatsapp-url': ['whatsapp'],
  server: REMOTE_ENGINES,
  'server-key': REMOTE_ENGINES,
  'allow-delete': REMOTE_ENGINES,
};

function isRemote(engine: EngineOption): engine is RemoteName {
  return REMOTE_ENGINES.some((name) => name === engine);
}

/** The texts of the command line, by option. */
function readFlags(args: readonly string[], problems: string[]) {
  const options = Object.fromEntries(
    everyOption().map(({ name, value, short }) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: true,
        ...(short && { short }),
      },
    ]),
  );
  // Strict parsing takes the value in `--port -1` for another option, and stops at the first mistake.
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const flags = new Map<OptionName, string[]>();
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!isOption(name)) {
      // The name may end in a token, if the space or the sign between them is missing.
      problems.push(
        `Unknown option${rawName.startsWith('--token') ? '' : ` '${quotable(rawName)}'`}; see --help.`,
      );
      continue;
    }
    const { value: placeholder, takes }: OptionInfo = OPTIONS[name];
    if (placeholder === undefined && value !== undefined) problems.push(`--${name} takes no value.`);
    else if (placeholder !== undefined && value === undefined) problems.push(`--${name} takes ${takes}.`);
    else flags.set(name, [...(flags.get(name) ?? []), value ?? 'true']);
  }
  // An operand may be the end of an unquoted token with a space, which must not get into a log.
  if (flags.has('token') && operands.length > 0) {
    problems.push('Unexpected argument; see --help.');
    operands.length = 0;
  }
  return { flags, operands };
}

/** The source of a value, for messages, and its texts. */
interface Given {
  readonly from: string;
  readonly texts: readonly string[];
}

/** The values of the options, from their sources; collects the mistakes. */
class Settings {
  readonly #given = new Map<OptionName, Given>();
  readonly #problems: string[];
  readonly #wrong = new Set<OptionName>();
  readonly #flags: ReadonlyMap<OptionName, readonly string[]>;

  constructor(
    flags: ReadonlyMap<OptionName, readonly string[]>,
    environment: Environment,
    problems: string[],
  ) {
    this.#flags = flags;
    this.#problems = problems;
    for (const { name, repeatable } of everyOption()) {
      const texts = flags.get(name);
      const variable = environment[variableOf(name)];
      if (texts) this.#given.set(name, { from: `--${name}`, texts });
      else if (variable !== undefined) {
        this.#given.set(name, {
          from: variableOf(name),
          texts: repeatable ? variable.split(',') : [variable],
        });
      }
    }
    const file = this.one('config', notEmpty);
    if (file !== undefined) this.#read(file);
  }

  has(name: OptionName): boolean {
    return this.#given.has(name);
  }

  isFlag(name: OptionName): boolean {
    return this.#flags.has(name);
  }

  isWrong(name: OptionName): boolean {
    return this.#wrong.has(name);
  }

  /** Returns what the operator calls the option: the flag, the variable, or the file's property. */
  nameOf(name: OptionName): string {
    return this.#given.get(name)?.from ?? `--${name}`;
  }

  /** Whether a switch is on. */
  isOn(name: OptionName): boolean {
    return this.one(name, (text) => BOOLEANS.get(text)) ?? false;
  }

  /** Returns the last value; undefined if there is none or it is invalid. */
  one<T>(name: OptionName, parse: (text: string) => T | undefined): T | undefined {
    return this.many(name, parse)?.at(-1);
  }

  many<T>(name: OptionName, parse: (text: string) => T | undefined): T[] | undefined {
    const given = this.#given.get(name);
    if (!given || this.#wrong.has(name)) return undefined;
    const values = given.texts.flatMap((text) => {
      const value = parse(text);
      if (value === undefined) this.#refuse(name, given.from, text);
      return value === undefined ? [] : [value];
    });
    return values.length === given.texts.length ? values : undefined;
  }

  /** One line for each option: its value and source. */
  get text(): string {
    const rows = everyOption()
      .filter(({ schema }) => schema !== undefined)
      .map(({ name, secret, default: preset = 'none', value }) => {
        const given = this.#given.get(name);
        if (!given) return [name, value === undefined ? 'off' : preset, 'default'];
        return [name, secret ? '(set)' : given.texts.map(quotable).join(', '), given.from];
      });
    return inColumns(rows)
      .map((line) => `${line}\n`)
      .join('');
  }

  #refuse(name: OptionName, from: string, text: string): void {
    const { takes = 'true or false', secret }: OptionInfo = OPTIONS[name];
    const quoted = secret || text === '' ? '' : `, not '${quotable(text)}'`;
    this.#problems.push(`${from} takes ${takes}${quoted}.`);
    this.#wrong.add(name);
  }

  #read(file: string): void {
    for (const [name, value] of Object.entries(readObject(file, this.#problems))) {
      const from = `"${quotable(name)}" in ${quotable(file)}`;
      if (name === '$schema') continue;
      if (!isOption(name) || optionInfo(name)?.schema === undefined) {
        this.#problems.push(`${from} is not an option; see --help.`);
      } else if (!this.#given.has(name)) {
        const items: unknown[] = Array.isArray(value) && optionInfo(name)?.repeatable ? value : [value];
        this.#given.set(name, { from, texts: items.map(textOf) });
        const wrong = items.find((item) => typeof item === 'object');
        if (wrong !== undefined) this.#refuse(name, from, textOf(wrong));
      }
    }
  }
}

/** No value may contain others, which could be nested too deeply to print. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? '[…]' : '{…}';
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function readObject(file: string, problems: string[]): object {
  try {
    // Editors on Windows may begin a file with a byte order mark.
    const value: unknown = JSON.parse(
      readSmallFile(file)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    );
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    problems.push(`The configuration file '${quotable(file)}' must hold an object, such as {"port": 9000}.`);
  } catch (error) {
    problems.push(`The configuration file '${quotable(file)}' ${whyUnread(error)}.`);
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

/** Why a start could not use the key file; the folder and the ports are only known at the start. */
function keyFileProblems(command: Command): string[] {
  if (command.name !== 'serve') return [];
  try {
    const { whatsapp, remote } = command.options;
    cipherOfFile((whatsapp ?? remote)?.keyFile);
    return [];
  } catch (error) {
    if (error instanceof FolderError) return [error.message];
    throw error;
  }
}

function unknownVariables(environment: Environment): string[] {
  const known = new Set(everyOption().map(({ name }) => variableOf(name)));
  return Object.keys(environment)
    .filter((name) => name.startsWith('WO_') && !known.has(name))
    .map((name) => `${name} is not an option; see --help.`);
}

const notEmpty = (text: string) => text || undefined;

function oneOf<T extends string>(values: readonly T[]) {
  return (text: string) => values.find((value) => value === text);
}

function wholeNumber(max: number, min = 0) {
  return (text: string) =>
    /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;
}

function parseSpeed(text: string): number | undefined {
  const value = Number(text);
  return value > 0 && value <= MAX_SPEED ? value : undefined;
}

function parseToken(text: string): string | undefined {
  return text.length >= MIN_TOKEN && /^[\w.~+/=-]+$/.test(text) ? text : undefined;
}

function parseSocketUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^wss?:$/.test(url.protocol) ? url.href : undefined;
}

/** Several hosts are separated by commas, as in PostgreSQL's own tools; the URL of each one alone must be valid. */
function parseDatabase(text: string): string | undefined {
  return hostUrls(text)?.every((url) => URL.canParse(url)) ? text : undefined;
}

/** A slash at the end, so that paths can be relative to it. */
function parseServer(text: string): string | undefined {
  const place = parsePublicUrl(text);
  return place === undefined || place.endsWith('/') ? place : `${place}/`;
}

function parseKey(text: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}

function parseOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : undefined;
}

function parsePublicUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlace = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPlace && url.href === url.origin + url.pathname ? url.href : undefined;
}
