import { Type } from 'typebox';
import { REMOTE_ENGINES } from './engines/remote/names.ts';
import { LOG_LEVELS } from './log.ts';
import * as kinds from './option-kinds.ts';
import { CHECK_PAGE } from './proxy/check.ts';
import { AUDIENCE } from './security/jwt.ts';

/** One of the gateway's options: what its help, its checks and the schema of the configuration file say. */
interface Option<T> extends kinds.Kind<T> {
  readonly help: string;
  readonly default?: string;
  /** A letter that stands for it. */
  readonly short?: string;
  readonly repeatable?: true;
  /** Its value never appears in output. */
  readonly secret?: true;
  readonly notInFile?: true;
  /** The engines that it applies to; absent for all. */
  readonly engines?: readonly EngineName[];
  /** The options of which it needs one to apply. */
  readonly with?: readonly string[];
}

const REAL = ['whatsapp', ...REMOTE_ENGINES] as const;
const ENGINES = ['simulated', ...REAL] as const;
export type EngineName = (typeof ENGINES)[number];

const MAX_SESSIONS = 100_000;
const LEASE = kinds.wholeNumber(5, 300, 'SECONDS', 'a whole number of seconds');
const LEVELS = kinds.oneOf('LEVEL', LOG_LEVELS);

export const DEFAULT_DATA = 'whatsapp-data';

/** Every option, in the order of the help. */
const TABLE = {
  port: {
    ...kinds.wholeNumber(0, 65_535),
    help: 'port to listen on; 0 takes a free one',
    default: '8080',
  },
  token: {
    ...kinds.TOKEN,
    help: `access token of ${kinds.MIN_TOKEN} or more characters; better set as the variable WO_TOKEN`,
    secret: true,
  },
  access: {
    ...kinds.FILE,
    help: 'file with the users of other tokens, and what each may do; see the command token',
  },
  'jwt-key': {
    ...kinds.FILE,
    help: 'file with the key of tokens (JWT) that the portal signs: a public key in PEM, or a secret for HS256',
  },
  'jwt-audience': {
    ...kinds.AUDIENCE,
    help: 'audience (aud) of those tokens',
    default: AUDIENCE,
    with: ['jwt-key'],
  },
  audit: { ...kinds.FILE, help: 'file to add a JSON line to for each act and each refusal' },
  host: {
    ...kinds.HOST,
    help: 'address or name to listen on; all but 127.0.0.1 and localhost need --token, --access or --jwt-key',
    default: '127.0.0.1',
  },
  'trust-proxy': {
    ...kinds.PROXY,
    help: `proxy whose X-Forwarded-For to trust: ${kinds.PROXY.takes}`,
    repeatable: true,
  },
  'allow-origin': {
    ...kinds.ORIGIN,
    help: 'another origin whose pages may use the gateway, such as https://portal.example',
    repeatable: true,
  },
  'public-url': {
    ...kinds.PLACE,
    help: 'where the people with the phones reach this gateway, for the links to them, such as https://whatsapp.example',
  },
  engine: {
    ...kinds.oneOf('NAME', ENGINES),
    help: 'simulated phones, real ones with whatsapp, or those of a WAHA or Evolution API server',
    default: 'simulated',
  },
  sessions: {
    ...kinds.wholeNumber(0, MAX_SESSIONS),
    help: 'number of initial sessions of simulated phones',
    default: '6',
    engines: ['simulated'],
  },
  speed: {
    ...kinds.factor(10_000),
    help: 'how many times faster than real phones the simulated ones act',
    default: '1',
    engines: ['simulated'],
  },
  data: {
    ...kinds.FOLDER,
    help: 'where whatsapp keeps sessions and keys; waha and evolution keep names there, and refuse the numbers of whatsapp',
    default: `./${DEFAULT_DATA}`,
    engines: REAL,
  },
  'key-file': {
    ...kinds.FILE,
    help: 'file with the key that encrypts the credentials in --data or --database: 64 hexadecimal digits',
    engines: REAL,
  },
  probe: {
    ...kinds.wholeNumber(0, 1_440, 'MINUTES'),
    help: 'how long a connected session may be silent before WhatsApp is asked whether it still answers; 0 never asks',
    default: '5',
  },
  'whatsapp-url': {
    ...kinds.SOCKET,
    help: 'server for --engine whatsapp, as wss://…',
    default: "WhatsApp's own",
    engines: ['whatsapp'],
  },
  'whatsapp-version': {
    ...kinds.VERSION,
    help: 'version of WhatsApp Web that --engine whatsapp presents, such as 2.3000.1043857760',
    default: 'the one that WhatsApp names, asked for once a day',
    engines: ['whatsapp'],
  },
  proxy: {
    ...kinds.PROXY_SERVER,
    help: 'proxy through which --engine whatsapp reaches WhatsApp, for sessions without one of their own; better set as the variable WO_PROXY',
    default: 'that of the variable HTTPS_PROXY',
    secret: true,
    engines: ['whatsapp'],
  },
  'proxy-check': {
    ...kinds.CHECK_PAGE,
    help: 'page that answers with the address of whoever asks, to show where a proxy goes out',
    default: CHECK_PAGE,
    engines: ['whatsapp'],
  },
  passkey: {
    ...kinds.SWITCH,
    help: 'lets --engine whatsapp link accounts that require a passkey; tried against a fake WhatsApp only: use numbers that can be lost',
    engines: ['whatsapp'],
  },
  server: {
    ...kinds.PLACE,
    help: 'where the API of --engine waha or evolution is, such as http://127.0.0.1:3000',
    engines: REMOTE_ENGINES,
  },
  'server-key': {
    ...kinds.KEY,
    help: 'key of that API; better set as the variable WO_SERVER_KEY',
    secret: true,
    engines: REMOTE_ENGINES,
  },
  'allow-delete': {
    ...kinds.SWITCH,
    help: 'lets panels delete sessions on that server; otherwise they only take them off the list',
    engines: REMOTE_ENGINES,
  },
  database: {
    ...kinds.DATABASE,
    help: 'PostgreSQL that many gateways share, as postgres://…, instead of --data; better set as the variable WO_DATABASE',
    secret: true,
  },
  advertise: {
    ...kinds.ORIGIN,
    value: 'URL',
    takes: 'a URL such as http://10.0.0.5:8080, with nothing after the port',
    help: 'where other gateways of the same database reach this one',
    default: 'the one of --host and --port',
    with: ['database'],
  },
  lease: {
    ...LEASE,
    help: `after how long without a sign of life other gateways take the sessions over: ${LEASE.takes}`,
    default: '15',
    with: ['database'],
  },
  'max-sessions': {
    ...kinds.wholeNumber(1, MAX_SESSIONS),
    help: 'most sessions that this gateway owns of those in --database',
    with: ['database'],
  },
  notify: {
    ...kinds.WEBHOOK,
    help: 'webhook to notify when numbers are away, need a person, or are back; better set as the variable WO_NOTIFY',
    secret: true,
  },
  'notify-secret': {
    ...kinds.WEBHOOK_SECRET,
    help: 'key that signs what goes there (Standard Webhooks): whsec_ and 24 to 64 bytes in base64; better set as the variable WO_NOTIFY_SECRET',
    secret: true,
    with: ['notify'],
  },
  'notify-whatsapp': {
    ...kinds.NUMERO,
    help: 'number of a supervisor to notify by WhatsApp, from a connected session',
  },
  'notify-after': {
    ...kinds.wholeNumber(0, 1_440, 'MINUTES'),
    help: 'how long a number must be away before anybody is notified',
    default: '2',
    with: ['notify', 'notify-whatsapp'],
  },
  'log-level': {
    ...LEVELS,
    help: `lowest level of events to log: ${LEVELS.takes}`,
    default: 'info; warn for simulated phones',
  },
  metrics: { ...kinds.SWITCH, help: 'serves metrics for Prometheus at /metrics, to clients with the token' },
  config: { ...kinds.FILE, help: 'file with options as JSON, such as {"port": 9000}', notInFile: true },
  check: { ...kinds.SWITCH, help: 'show what would be used, and what is wrong, and end', notInFile: true },
  'new-key-file': { ...kinds.FILE, help: 'for rekey: the file with the new key', notInFile: true },
  version: { ...kinds.SWITCH, help: 'show the version', short: 'v', notInFile: true },
  help: { ...kinds.SWITCH, help: 'show this help', short: 'h', notInFile: true },
} as const satisfies Record<string, Option<unknown>>;

export type OptionName = keyof typeof TABLE;

/** The values of the options, each of one occurrence. */
export type Values = {
  readonly [N in OptionName]: (typeof TABLE)[N] extends Option<infer T> ? T : never;
};

export const OPTIONS: { readonly [N in OptionName]: Option<Values[N]> } = TABLE;

export function isOption(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name);
}

/** Returns the environment variable that sets an option. */
export function variableOf(name: string): string {
  return `WO_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** Every option with its name. */
export function everyOption(): (Option<unknown> & { readonly name: OptionName })[] {
  return Object.keys(OPTIONS)
    .filter(isOption)
    .map((name) => ({ name, ...OPTIONS[name] }));
}

/** Those that the configuration file may hold. */
export function fileOptions() {
  return everyOption().filter(({ notInFile }) => !notInFile);
}

export function configSchema(): object {
  const properties = fileOptions().map(({ name, help, schema, repeatable }) => {
    const property = repeatable ? Type.Union([schema, Type.Array(schema)]) : schema;
    return [name, { description: help, ...property }];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of the gateway for <whatsapp-operadores>',
    type: 'object',
    additionalProperties: false,
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
  };
}
