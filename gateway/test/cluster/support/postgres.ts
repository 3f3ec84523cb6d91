import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findPostgres, postgresUser } from '../../../../test/support/find-postgres.mjs';
import type { Scope } from '../../../../test/support/scope.ts';
import { stablePort } from '../../../../test/support/stable-port.ts';
import { until } from '../../../../test/support/until.ts';
import { connectPostgres, type Sql } from '../../../src/ledger/database.ts';

const execute = promisify(execFile);

interface PostgresOptions {
  /** Whether a crash of the machine must not lose what was committed; slower. Default false. */
  readonly isDurable?: boolean;
  /** Most connections at a time. Default 400. */
  readonly maxConnections?: number;
}

/**
 * How the server ends: `fast` closes all connections and writes what it has, `immediate` stops as in a crash and
 * recovers with its next start.
 */
type StopMode = 'fast' | 'immediate';

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** What does not matter for tests, in favour of speed. Commits survive a crash of the server all the same. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  jit: 'off',
};

/** Starts a PostgreSQL server on a port of loopback that stays its own; it ends with the test. */
export async function startPostgres(
  scope: Scope,
  { isDurable = false, maxConnections = 400 }: PostgresOptions = {},
): Promise<Postgres> {
  const data = await freshData();
  const speed: Record<string, string> = isDurable ? {} : { fsync: 'off', full_page_writes: 'off' };
  const settings = { ...SETTINGS, ...speed, max_connections: String(maxConnections) };
  const server = new Postgres(data, await stablePort(), settings);
  scope.after(() => server.end());
  await server.start();
  return server;
}

/** A server of several tests: none of them may stop it, or change what others rely on. */
export type SharedPostgres = Pick<Postgres, 'port' | 'url' | 'freshDatabase' | 'query' | 'holdClaims'>;

let shared: Promise<Postgres> | undefined;

/** Returns the server on which the tests of this process have databases of their own. */
export function sharedPostgres(): Promise<SharedPostgres> {
  shared ??= startPostgres({ after: () => {} });
  return shared;
}

/** Creates a database on the server of this process, and returns its URL. */
export async function freshDatabase(encoding?: string): Promise<string> {
  const server = await sharedPostgres();
  return server.freshDatabase(encoding);
}

/** Ends the server of this process if a test started it: without it, it ends soon after the process. */
export async function endSharedPostgres(): Promise<void> {
  const server = await shared;
  await server?.end();
}

/** A PostgreSQL server whose user `postgres` needs no password. */
export class Postgres {
  readonly port: number;
  readonly #data: string;
  readonly #settings: Record<string, string>;
  #process: ChildProcess | undefined;
  #databases = 0;

  constructor(data: string, port: number, settings: Record<string, string>) {
    this.#data = data;
    this.port = port;
    this.#settings = settings;
  }

  /**
   * @param others servers to try as well, such as a standby; clients use the one that takes writes
   */
  url(database = 'postgres', ...others: readonly { readonly port: number }[]): string {
    const hosts = [this, ...others].map(({ port }) => `127.0.0.1:${port}`);
    return `postgres://postgres@${hosts.join(',')}/${database}`;
  }

  /** Creates a database and returns its URL. */
  async freshDatabase(encoding = 'UTF8'): Promise<string> {
    this.#databases += 1;
    const name = `fresh_${this.#databases}`;
    const create = `CREATE DATABASE ${name} ENCODING '${encoding}' TEMPLATE template0`;
    await this.query((sql) => sql(verbatim(create)));
    return this.url(name);
  }

  /** Runs statements with a connection of their own. */
  async query<T>(statement: (sql: Sql) => PromiseLike<T>, database?: string): Promise<T> {
    const { sql, end } = await connectPostgres(this.url(database), { max: 1, name: 'test' });
    try {
      return await statement(sql);
    } finally {
      await end();
    }
  }

  /** Has no gateway take a free session of a database, until the returned function is called. */
  async holdClaims(database: string): Promise<() => Promise<void>> {
    const hold = `
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER hold BEFORE UPDATE OF owner ON session FOR EACH ROW WHEN (old.owner IS NULL)
      EXECUTE FUNCTION hold()`;
    await this.query((sql) => sql(verbatim(hold)), database);
    return async () => {
      await this.query((sql) => sql`DROP FUNCTION hold CASCADE`, database);
    };
  }

  /** Resolves when the server takes connections. */
  async start(): Promise<void> {
    const settings = Object.entries({ ...this.#settings, port: String(this.port) });
    const args = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(programs(), 'postgres'), ['-D', this.#data, ...args], {
      ...postgresUser(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    let printed = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-5_000);
    });
    const isReady = () => {
      if (child.exitCode !== null) throw new Error(`it ended: ${printed}`);
      return /ready to accept/.test(printed);
    };
    // Even a process that crashes takes the server along.
    const callOff = afterProcess('kill -QUIT "$0" && sleep 1; rm -rf "$1"', String(child.pid), this.#data);
    child.once('exit', callOff);
    await until(isReady, 'PostgreSQL to start');
    child.stderr.removeAllListeners('data').resume();
  }

  /** Resolves when the server has ended. */
  async stop(mode: StopMode = 'fast'): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(SIGNALS[mode]);
    await ended;
  }

  /** Crashes the server and starts it again. */
  async restart(): Promise<void> {
    await this.stop('immediate');
    await this.start();
  }

  /** Freezes every process of the server; its connections stay open, and nobody answers. */
  pause(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  /**
   * Starts a standby without which this server confirms no commit, so that it has all that was ever confirmed. Restarts
   * this server: nobody may use it yet.
   */
  async standby(scope: Scope): Promise<Standby> {
    await this.stop();
    const data = await copyOf(this.#data);
    writeFileSync(join(data, 'standby.signal'), '');
    const primary_conninfo = `host=127.0.0.1 port=${this.port} user=postgres`;
    const standby = new Standby(data, await stablePort(), { ...this.#settings, primary_conninfo });
    scope.after(() => standby.end());
    this.#settings.synchronous_standby_names = '*';
    await this.start();
    await standby.start();
    const followers = () =>
      this.query((sql) => sql`SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`);
    await until(async () => (await followers()).length > 0, 'the standby to follow');
    return standby;
  }

  /** Ends the server, even a frozen one, and erases its data. */
  async end(): Promise<void> {
    if (this.#process?.exitCode === null) this.resume();
    await this.stop('immediate');
    rmSync(this.#data, { recursive: true, force: true });
  }

  /** The server's processes are in sessions of their own, so that a signal to its group reaches only the first. */
  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#process ?? {};
    if (pid === undefined) throw new Error('PostgreSQL is not running');
    process.kill(pid, signal);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    for (const child of children.split(' ').filter(Boolean)) {
      try {
        process.kill(Number(child), signal);
      } catch {
        // It has ended since.
      }
    }
  }
}

/** Makes a template of a text: several statements, or what cannot be a parameter, such as a name. */
export function verbatim(text: string): TemplateStringsArray {
  return Object.assign([text], { raw: [text] });
}

/** A standby, which takes no writes until it is promoted. */
export class Standby extends Postgres {
  /** Resolves when the standby takes writes. */
  async promote(): Promise<void> {
    // The gateway's connections refuse a server that takes no writes.
    const client = new pg.Client(this.url());
    await client.connect();
    await client.query('SELECT pg_promote()');
    await client.end();
  }
}

function programs(): string {
  const folder = findPostgres();
  if (folder === undefined)
    throw new Error('No PostgreSQL found: run npm ci, or set POSTGRES_PATH to its programs');
  return folder;
}

const INITDB = [
  ...['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'],
  ...['--no-sync', '--no-instructions'],
];

let template: Promise<string> | undefined;

/** Returns a new folder with the data of a server that never ran: a copy, which takes a fifth of the time of initdb. */
async function freshData(): Promise<string> {
  template ??= initialize();
  return copyOf(await template);
}

async function initialize(): Promise<string> {
  const data = dataFolder();
  afterProcess('rm -rf "$0"', data);
  await execute(join(programs(), 'initdb'), [...INITDB, '-D', data], postgresUser());
  return data;
}

async function copyOf(data: string): Promise<string> {
  const copy = dataFolder();
  // Whose files they are matters.
  await execute('cp', ['-R', `${data}/.`, copy], postgresUser());
  return copy;
}

/** Creates an empty folder of PostgreSQL's user. */
function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wo-postgres-'));
  const { uid, gid } = postgresUser();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

/**
 * Runs a shell command when this process ends in whatever way: its end of the pipe closes then. Returns a function that
 * calls it off.
 *
 * @param args `$0` and the following ones
 */
function afterProcess(command: string, ...args: string[]): () => void {
  const watcher = spawn('sh', ['-c', `read _; ${command}`, ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  return () => watcher.kill();
}
