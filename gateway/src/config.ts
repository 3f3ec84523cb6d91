import { Fault } from './diagnosis.ts';
import type { RemoteOptions } from './engines/provider.ts';
import { REMOTE_ENGINES, type RemoteName } from './engines/remote/names.ts';
import type { ConnectionOptions } from './engines/whatsapp/engine.ts';
import { generalProxy } from './engines/whatsapp/proxies.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { cipherOfFile } from './ledger/key-file.ts';
import type { MigrateOptions } from './ledger/migrate.ts';
import { createLogger, type LogLevel } from './log.ts';
import type { NotifyOptions } from './notify/notifier.ts';
import { DEFAULT_DATA, type EngineName, everyOption, isOption, variableOf } from './options.ts';
import { InvalidProxy } from './proxy/proxy.ts';
import { Access } from './security/access.ts';
import { nameProblem } from './security/access-file.ts';
import { isEverywhere, LOOPBACK } from './security/addresses.ts';
import { type Environment, Settings } from './settings.ts';

/** A mistake on the command line, in the environment or in the configuration file: one sentence per line. */
export class UsageError extends Fault {
  override readonly name = 'UsageError';
}

/** What the command line requests. */
export type Command =
  | { readonly name: 'help' | 'version' }
  | { readonly name: 'serve'; readonly options: GatewayOptions; readonly logLevel: LogLevel }
  /** Shows what `serve` would use. */
  | { readonly name: 'check'; readonly text: string; readonly problems: readonly string[] }
  /** Makes a token for a user. */
  | { readonly name: 'token'; readonly user: string }
  | StoreCommand;

export type StoreCommand =
  | (Store & { readonly name: 'backup' | 'restore'; readonly file: string })
  /** Examines the server `remote` instead, if there is one. */
  | (Store &
      Pick<ConnectionOptions, 'url' | 'version' | 'proxy' | 'proxyCheck'> & {
        readonly name: 'doctor';
        readonly remote?: RemoteOptions | undefined;
        /** Whom it sends a test. */
        readonly notify?: NotifyOptions | undefined;
      })
  | (Store & { readonly name: 'rekey'; readonly newKeyFile: string })
  | { readonly name: 'nodes' | 'rotate'; readonly database: string }
  | { readonly name: 'drain'; readonly database: string; readonly node: string }
  /** Moves the sessions of stopped gateways between the database and a folder. */
  | ({ readonly name: 'migrate' } & MigrateOptions);

/** Where sessions are stored: in `database`, if there is one, else in `folder`. */
interface Store {
  readonly folder: string;
  readonly keyFile?: string | undefined;
  readonly database?: string | undefined;
}

/** In milliseconds. */
const MINUTE = 60_000;

/** What commands take, as the end of a sentence. */
const OPERANDS = new Map([
  ['backup', 'a file, such as: backup sessions.backup'],
  ['restore', 'a file, such as: restore sessions.backup'],
  ['token', "a user's name, such as: token 'Ana Ruiz'"],
  ['drain', "a gateway's id or URL, as nodes shows them"],
  ['migrate', 'where the sessions go: database, or data for the folder of --data'],
]);

/** The options of which a gateway needs one to listen on another address. */
const CREDENTIALS = ['token', 'access', 'jwt-key'] as const;

const NEEDS_DATABASE = new Set(['nodes', 'drain', 'rotate', 'migrate']);

/** What to do where a database has the sessions, for commands on a folder alone. */
const NOT_WITH_DATABASE = new Map([
  ['backup', 'pg_dump copies the database, also while gateways are running'],
  ['restore', 'stop all gateways, and restore the database with pg_restore'],
]);

/**
 * Reads the command line, the variables `WO_*` and the file of `--config`. Throws a {@link UsageError} with all
 * mistakes, except with `--check`, which reports them itself.
 */
export function readCommand(args: readonly string[], environment: Environment = process.env): Command {
  const settings = new Settings(args, environment);
  if (settings.isFlag('help')) return { name: 'help' };
  if (settings.isFlag('version')) return { name: 'version' };
  const command = commandOf(settings);
  if (settings.one('check')) {
    const problems = [...settings.problems, ...unknownVariables(environment), ...fileProblems(command)];
    return { name: 'check', text: settings.text, problems };
  }
  if (settings.problems.size > 0) throw new UsageError([...settings.problems].join('\n'));
  return command;
}

function commandOf(settings: Settings): Command {
  const { problems } = settings;
  const [name, operand = ''] = settings.operands;
  // An invalid engine is a mistake of its own.
  const engine = settings.has('engine') ? settings.one('engine') : 'simulated';
  const options = gatewayOptions(settings, engine);
  const newKeyFile = settings.one('new-key-file');
  if (name !== 'rekey' && settings.has('new-key-file')) {
    problems.add(`${settings.nameOf('new-key-file')} applies to rekey only.`);
  }
  if (name === undefined || name === 'doctor') {
    if (engine === 'whatsapp') checkEnvironmentProxy(settings);
    checkRemote(settings, engine);
    checkTogether(settings);
  }
  if (name === undefined) {
    checkStart(settings, engine);
    // With simulated phones, the user needs only the address.
    const logLevel = settings.one('log-level') ?? (engine === 'simulated' ? 'warn' : 'info');
    return { name: 'serve', options, logLevel };
  }

  checkCommand(settings, name);
  const store = storeOf(settings);
  const database = settings.one('database') ?? '';
  // A named folder takes precedence over the environment's database.
  const isFolder = settings.isFlag('data') && !settings.isFlag('database');
  const source = { database: isFolder ? undefined : settings.one('database') };
  switch (name) {
    case 'backup':
    case 'restore':
      return { name, ...store, file: operand };
    case 'token': {
      const problem = operand && nameProblem(operand);
      if (problem) problems.add(`The user ${problem}.`);
      return { name, user: operand };
    }
    case 'doctor':
      return {
        name,
        ...store,
        ...source,
        ...whatsappOf(settings),
        remote: options.remote,
        notify: options.notify,
      };
    case 'rekey':
      if (newKeyFile === undefined) problems.add('rekey takes the new key with --new-key-file.');
      return { name, ...store, ...source, newKeyFile: newKeyFile ?? '' };
    case 'nodes':
    case 'rotate':
      return { name, database };
    case 'drain':
      return { name, database, node: operand };
    case 'migrate':
      if (operand !== 'database' && operand !== 'data') problems.add(`migrate takes ${OPERANDS.get(name)}.`);
      return { name, ...store, database, to: operand === 'data' ? operand : 'database' };
    default:
      // Without the word: it may be the end of a token with a space.
      problems.add('There is no such command; see --help.');
      return { name: 'help' };
  }
}

function checkCommand(settings: Settings, name: string): void {
  const { problems } = settings;
  const [, operand, ...rest] = settings.operands;
  const takes = OPERANDS.get(name);
  if (takes !== undefined && !operand) problems.add(`${name} takes ${takes}.`);
  const [unexpected] = takes === undefined ? [operand] : rest;
  if (unexpected !== undefined) problems.add('Unexpected argument; see --help.');
  const hasDatabase = settings.has('database');
  if (NEEDS_DATABASE.has(name) && !hasDatabase) {
    problems.add(`${name} needs the database of the gateways: --database or WO_DATABASE.`);
  }
  const instead = NOT_WITH_DATABASE.get(name);
  if (instead && hasDatabase) problems.add(`${name} does not apply to --database: ${instead}.`);
}

function storeOf(settings: Settings) {
  return { folder: settings.one('data') ?? DEFAULT_DATA, keyFile: settings.one('key-file') };
}

function gatewayOptions(settings: Settings, engine: EngineName | undefined): GatewayOptions {
  const probe = settings.one('probe');
  return {
    port: settings.one('port'),
    token: settings.one('token'),
    access: settings.one('access'),
    jwtKey: settings.one('jwt-key'),
    jwtAudience: settings.one('jwt-audience'),
    audit: settings.one('audit'),
    host: settings.one('host'),
    trustProxy: settings.many('trust-proxy'),
    allowOrigins: settings.many('allow-origin'),
    publicUrl: settings.one('public-url'),
    metrics: settings.one('metrics'),
    cluster: clusterOf(settings),
    probe: probe === undefined ? undefined : probe * MINUTE,
    notify: notifyOf(settings),
    ...phonesOf(settings, engine),
  };
}

function clusterOf(settings: Settings): GatewayOptions['cluster'] {
  const database = settings.one('database');
  if (database === undefined) return undefined;
  return {
    database,
    advertise: settings.one('advertise'),
    lease: settings.one('lease'),
    maxSessions: settings.one('max-sessions'),
  };
}

function notifyOf(settings: Settings): NotifyOptions | undefined {
  const url = settings.one('notify');
  const whatsapp = settings.one('notify-whatsapp');
  if (url === undefined && whatsapp === undefined) return undefined;
  const after = settings.one('notify-after');
  return {
    webhook: url === undefined ? undefined : { url, secret: settings.one('notify-secret') ?? '' },
    whatsapp,
    after: after === undefined ? undefined : after * MINUTE,
  };
}

function phonesOf(settings: Settings, engine: EngineName | undefined): GatewayOptions {
  const store = storeOf(settings);
  if (engine === 'whatsapp') return { whatsapp: { ...store, ...whatsappOf(settings) } };
  if (!isRemote(engine)) return { sessions: settings.one('sessions'), speed: settings.one('speed') };
  const url = settings.one('server') ?? '';
  const key = settings.one('server-key') ?? '';
  return { remote: { ...store, name: engine, url, key, allowDelete: settings.one('allow-delete') } };
}

function whatsappOf(settings: Settings) {
  return {
    url: settings.one('whatsapp-url'),
    version: settings.one('whatsapp-version'),
    proxy: settings.one('proxy'),
    proxyCheck: settings.one('proxy-check'),
    passkey: settings.one('passkey'),
  };
}

function checkEnvironmentProxy(settings: Settings): void {
  try {
    if (!settings.has('proxy')) generalProxy({ url: settings.one('whatsapp-url') });
  } catch (error) {
    if (!(error instanceof InvalidProxy)) throw error;
    settings.problems.add(error.message);
  }
}

function isRemote(engine: EngineName | undefined): engine is RemoteName {
  return REMOTE_ENGINES.some((name) => name === engine);
}

function checkRemote(settings: Settings, engine: EngineName | undefined): void {
  if (!isRemote(engine)) return;
  const { problems } = settings;
  if (!settings.has('server')) problems.add(`--engine ${engine} requires --server: where its API is.`);
  if (!settings.has('server-key')) problems.add(`--engine ${engine} requires its key: WO_SERVER_KEY.`);
}

/** Checks which options go together. The environment and the file may hold some for what is off. */
function checkTogether(settings: Settings): void {
  const { problems } = settings;
  for (const { name, with: others } of everyOption()) {
    if (others && settings.isFlag(name) && !others.some((other) => isOption(other) && settings.has(other)))
      problems.add(`--${name} applies with --${others.join(' or --')} only.`);
  }
  if (settings.has('notify') && !settings.has('notify-secret')) {
    problems.add(
      `${settings.nameOf('notify')} requires --notify-secret or WO_NOTIFY_SECRET, the key that signs what goes there: make one with echo "whsec_$(openssl rand -base64 32)".`,
    );
  }
}

/** Checks what a start needs. */
function checkStart(settings: Settings, engine: EngineName | undefined): void {
  const { problems } = settings;
  const host = settings.one('host');
  const isOpen = CREDENTIALS.every((option) => !settings.has(option));
  if (host !== undefined && host !== LOOPBACK && isOpen) {
    problems.add(
      `${settings.nameOf('host')} ${host} requires --token or WO_TOKEN, --access or --jwt-key: only ${LOOPBACK} does without.`,
    );
  }
  // The environment and the file may hold options of another engine.
  for (const { name, engines } of everyOption()) {
    if (engine && engines && settings.isFlag(name) && !engines.includes(engine)) {
      problems.add(`--${name} does not apply to --engine ${engine}.`);
    }
  }
  if (!settings.has('database')) return;
  if (isRemote(engine)) {
    problems.add(`--engine ${engine} does not apply with --database: the sessions are its server's.`);
  }
  if (settings.isFlag('data')) problems.add('--data does not apply with --database.');
  if (host !== undefined && isEverywhere(host) && !settings.has('advertise')) {
    problems.add(
      `${settings.nameOf('host')} ${host} with --database requires --advertise, where other gateways reach this one, such as http://10.0.0.5:8080.`,
    );
  }
}

/** Why a start could not use the files; the folder and the ports are only known at the start. */
function fileProblems(command: Command): string[] {
  if (command.name !== 'serve') return [];
  const { whatsapp, remote, access, jwtKey } = command.options;
  const checks = [
    () => cipherOfFile((whatsapp ?? remote)?.keyFile),
    () => new Access({ access }, SILENT).close(),
    () => new Access({ jwtKey }, SILENT).close(),
  ];
  return checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (error instanceof Fault) return error.message.split('\n');
      throw error;
    }
  });
}

const SILENT = createLogger('silent');

function unknownVariables(environment: Environment): string[] {
  const known = new Set(everyOption().map(({ name }) => variableOf(name)));
  return Object.keys(environment)
    .filter((name) => name.startsWith('WO_') && !known.has(name))
    .map((name) => `${name} is not an option; see --help.`);
}
