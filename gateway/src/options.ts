import { Type } from 'typebox';
import { REMOTE_ENGINES } from './engines/remote/names.ts';
import { LOG_LEVELS } from './log.ts';

/** The description of an option for the help, the check and the schema of the configuration file. */
export interface OptionInfo {
  /** Placeholder of the value; a switch has none. */
  readonly value?: string;
  /** Its valid values, as the end of a sentence. */
  readonly takes?: string;
  readonly help: string;
  /** A letter that stands for it. */
  readonly short?: string;
  readonly default?: string;
  readonly repeatable?: true;
  /** Its value never appears in output. */
  readonly secret?: true;
  /** JSON schema of its property in the configuration file; absent for options of the command line only. */
  readonly schema?: object;
}

/** Shortest token; a shorter one can be guessed. */
export const MIN_TOKEN = 16;
export const MAX_PORT = 65_535;
export const MAX_SESSIONS = 100_000;
export const MAX_SPEED = 10_000;
/** Shortest and longest lease, in seconds. */
export const MIN_LEASE = 5;
export const MAX_LEASE = 300;
export const ENGINES = ['simulated', 'whatsapp', ...REMOTE_ENGINES] as const;

const text = Type.String({ minLength: 1 });
const texts = Type.Union([text, Type.Array(text)]);
const ORIGIN = 'an origin such as https://portal.example';

/** Every option, in the order of the help. */
export const OPTIONS = {
  port: {
    value: 'N',
    takes: `a whole number from 0 to ${MAX_PORT}`,
    help: 'port to listen on; 0 takes a free one',
    default: '8080',
    schema: Type.Integer({ minimum: 0, maximum: MAX_PORT }),
  },
  token: {
    value: 'TOKEN',
    takes: `${MIN_TOKEN} or more characters, each an English letter, a digit or one of -._~+/=`,
    help: `access token of ${MIN_TOKEN} or more characters; better set as the variable WO_TOKEN`,
    secret: true,
    schema: Type.String({ minLength: MIN_TOKEN }),
  },
  host: {
    value: 'HOST',
    takes: 'an address or a name',
    help: 'address or name to listen on; others than the default need a token',
    default: '127.0.0.1',
    schema: text,
  },
  'trust-proxy': {
    value: 'ADDRESS',
    takes: 'an address, a network such as 10.0.0.0/8, or loopback, linklocal or uniquelocal',
    help: 'proxy whose X-Forwarded-For to trust: an address, a network such as 10.0.0.0/8, loopback, linklocal or uniquelocal',
    repeatable: true,
    schema: texts,
  },
  'allow-origin': {
    value: 'ORIGIN',
    takes: ORIGIN,
    help: 'another origin whose pages may use the gateway, such as https://portal.example',
    repeatable: true,
    schema: texts,
  },
  'public-url': {
    value: 'URL',
    takes: 'an http(s) URL without query or fragment',
    help: 'where the people with the phones reach this gateway, for the links to them, such as https://whatsapp.example',
    schema: text,
  },
  'other-server': {
    value: 'ORIGIN',
    takes: ORIGIN,
    help: "origin of another gateway for the demo pages, such as the portal's second branch",
    repeatable: true,
    schema: texts,
  },
  engine: {
    value: 'NAME',
    takes: `${ENGINES.slice(0, -1).join(', ')} or ${ENGINES.at(-1)}`,
    help: 'simulated phones, real ones with whatsapp, or those of a WAHA or Evolution API server',
    default: 'simulated',
    schema: Type.Enum([...ENGINES]),
  },
  sessions: {
    value: 'N',
    takes: `a whole number from 0 to ${MAX_SESSIONS}`,
    help: 'number of initial sessions of simulated phones',
    default: '6',
    schema: Type.Integer({ minimum: 0, maximum: MAX_SESSIONS }),
  },
  speed: {
    value: 'X',
    takes: `a number above 0 and up to ${MAX_SPEED}`,
    help: 'how many times faster the simulated phones live',
    default: '1',
    schema: Type.Number({ exclusiveMinimum: 0, maximum: MAX_SPEED }),
  },
  data: {
    value: 'DIR',
    takes: 'a folder',
    help: 'where --engine whatsapp keeps sessions and keys; waha and evolution refuse its numeros, and keep names there',
    default: './whatsapp-data',
    schema: text,
  },
  'key-file': {
    value: 'FILE',
    takes: 'a file',
    help: 'file with the key that encrypts the credentials in --data or --database: 64 hexadecimal digits',
    schema: text,
  },
  'whatsapp-url': {
    value: 'URL',
    takes: 'a URL such as wss://whatsapp.example/',
    help: 'server for --engine whatsapp, as wss://…',
    default: "WhatsApp's own",
    schema: text,
  },
  server: {
    value: 'URL',
    takes: 'an http(s) URL without query or fragment',
    help: 'where the API of --engine waha or evolution is, such as http://127.0.0.1:3000',
    schema: text,
  },
  'server-key': {
    value: 'KEY',
    takes: 'a key without spaces',
    help: 'key of that API; better set as the variable WO_SERVER_KEY',
    secret: true,
    schema: text,
  },
  'allow-delete': {
    help: 'lets panels delete sessions on that server; otherwise they only take them off the list',
    schema: Type.Boolean(),
  },
  database: {
    value: 'URL',
    takes: 'a URL such as postgres://user:password@db.example/gateways',
    help: 'PostgreSQL that many gateways share, as postgres://…, instead of --data; better set as the variable WO_DATABASE',
    secret: true,
    schema: text,
  },
  advertise: {
    value: 'URL',
    takes: 'a URL such as http://10.0.0.5:8080, with nothing after the port',
    help: 'where other gateways of the same database reach this one',
    default: 'the one of --host and --port',
    schema: text,
  },
  lease: {
    value: 'SECONDS',
    takes: `a whole number of seconds from ${MIN_LEASE} to ${MAX_LEASE}`,
    help: 'after how long without a sign of life other gateways take the sessions over, 5 to 300',
    default: '15',
    schema: Type.Integer({ minimum: MIN_LEASE, maximum: MAX_LEASE }),
  },
  'max-sessions': {
    value: 'N',
    takes: `a whole number from 1 to ${MAX_SESSIONS}`,
    help: 'most sessions that this gateway carries of those in --database',
    schema: Type.Integer({ minimum: 1, maximum: MAX_SESSIONS }),
  },
  'log-level': {
    value: 'LEVEL',
    takes: `${LOG_LEVELS.slice(0, -1).join(', ')} or silent`,
    help: `least level of events to log: ${LOG_LEVELS.slice(0, -1).join(', ')} or silent`,
    default: 'info; warn for simulated phones',
    schema: Type.Enum([...LOG_LEVELS]),
  },
  metrics: {
    help: 'serves metrics for Prometheus at /metrics, to clients with the token',
    schema: Type.Boolean(),
  },
  'metrics-port': {
    value: 'N',
    takes: `a whole number from 0 to ${MAX_PORT}`,
    help: 'serves them on this port of 127.0.0.1 instead, without a token',
    schema: Type.Integer({ minimum: 0, maximum: MAX_PORT }),
  },
  config: { value: 'FILE', takes: 'a file', help: 'file with options as JSON, such as {"port": 9000}' },
  check: { help: 'show what would be used, and what is wrong, and end' },
  'new-key-file': { value: 'FILE', takes: 'a file', help: 'for rekey: the file with the new key' },
  version: { help: 'show the version', short: 'v' },
  help: { help: 'show this help', short: 'h' },
} as const satisfies Record<string, OptionInfo>;

export type OptionName = keyof typeof OPTIONS;

/** Returns the description of an option; undefined if there is none of that name. */
export function optionInfo(name: string): OptionInfo | undefined {
  return isOption(name) ? OPTIONS[name] : undefined;
}

export function isOption(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name);
}

/** Returns the environment variable that sets an option. */
export function variableOf(name: string): string {
  return `WO_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** Every option with its description. */
export function everyOption(): (OptionInfo & { readonly name: OptionName })[] {
  return Object.keys(OPTIONS)
    .filter(isOption)
    .map((name) => ({ name, ...OPTIONS[name] }));
}

/** The JSON schema of the configuration file. */
export function configSchema(): object {
  const properties = everyOption().flatMap(({ name, help, schema }) =>
    schema ? [[name, { description: help, ...schema }]] : [],
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of the gateway for <whatsapp-operadores>',
    type: 'object',
    additionalProperties: false,
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
  };
}

const COMMANDS = `  backup FILE   copy the store in --data to a new file, also while a gateway is running
  restore FILE  replace the store in --data by a backup, and keep the old one beside it
  list          list the sessions in --data or --database
  doctor        check store, permissions, versions, clock, and the way to WhatsApp; or the server of --engine
  rekey         encrypt the sessions in --data or --database with the key of --new-key-file
  nodes         list the gateways of --database, and how many sessions each carries
  drain NODE    give the sessions of one of them, by its id or URL, to the others
  rotate        change the secret with which they seal what they tell each other
  migrate TO    move the sessions of stopped gateways from --data to --database, or back: TO is database or data`;

const WIDTH = 110;
const COLUMN = 26;

export const HELP = `The gateway for <whatsapp-operadores>.

Usage: whatsapp-operadores-gateway [command] [options]

Without a command, the gateway starts. Other commands:

${COMMANDS}

Options, also as variables (WO_PORT for --port; several values separated by commas) and in the file of --config:

${everyOption().map(helpOf).join('\n')}
`;

function helpOf({
  name,
  value,
  help,
  repeatable,
  default: preset,
}: OptionInfo & { readonly name: string }): string {
  const left = `  --${name}${value === undefined ? '' : ` ${value}`}`.padEnd(COLUMN);
  const notes = [repeatable && '; repeatable', preset !== undefined && ` (default ${preset})`];
  return wrap(`${help}${notes.filter(Boolean).join('')}`, WIDTH - COLUMN)
    .map((line, index) => (index === 0 ? left : ' '.repeat(COLUMN)) + line)
    .join('\n');
}

function wrap(sentence: string, width: number): string[] {
  const lines = [''];
  for (const word of sentence.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + word.length < width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
