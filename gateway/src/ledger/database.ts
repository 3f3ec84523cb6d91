import type { Client, ClientConfig, Pool, PoolClient } from 'pg';
import { settles } from '../drain.ts';

/**
 * Runs a statement, written as a template whose values become its parameters, but for a {@link Name}. Resolves with its
 * rows; rejects with PostgreSQL's error or a {@link ConnectionError}.
 */
export type Sql = <Row extends object = Record<string, unknown>>(
  text: TemplateStringsArray,
  ...values: readonly unknown[]
) => Promise<Row[]>;

/** A name in a statement, which cannot be a parameter. */
export class Name {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A database, through a few connections that open on demand, and again when they are lost. */
export interface Database {
  readonly sql: Sql;
  /** Runs statements in one transaction, which is rolled back if `task` rejects. */
  begin<T>(task: (sql: Sql) => Promise<T>): Promise<T>;
  /** Ends all connections at once; what waits for an answer rejects. */
  end(): Promise<void>;
}

/** There is no connection, or it was lost: whether the statement took effect is not known. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: string;

  constructor(message: string, code = 'CONNECTION_LOST') {
    super(message);
    this.code = code;
  }
}

/** Longest wait for a connection, in milliseconds; a server that drops packets never answers. */
const CONNECT_TIMEOUT = 10_000;
/** Longest time of one statement, in milliseconds: nothing that a gateway does takes nearly as long. */
export const STATEMENT_TIMEOUT = 30_000;
/** Longest wait for connections to end, in milliseconds. */
const END_TIMEOUT = 1_000;

/**
 * Returns a database; it connects with its first statement. Loads PostgreSQL's client library, which nothing else does.
 *
 * @param url `postgres://…`; of several hosts, separated by commas, the one that accepts writes is used
 * @param options the most connections at a time, and what `pg_stat_activity` shows
 */
export async function connectPostgres(
  url: string,
  { max, name }: { readonly max: number; readonly name: string },
): Promise<Database> {
  const { default: pg } = await import('pg');
  const hosts = new Hosts(url);
  const clients = new Set<PoolClient>();
  /** Rejects the statements under way: the pool forgets those that wait for a connection when it ends. */
  const pending = new Set<(error: Error) => void>();
  let ended: Promise<unknown> | undefined;

  class HostClient extends pg.Client {
    constructor() {
      super(settings(hosts.current, name));
      // The statement under way rejects; without a listener the process would end.
      this.on('error', () => {});
    }
  }
  const pool: Pool = new pg.Pool({
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    idleTimeoutMillis: 0,
    Client: HostClient,
    verify: (client, done) => {
      checkServer(client).then(() => done(), done);
    },
  });
  pool.on('connect', (client) => {
    clients.add(client);
  });
  pool.on('remove', (client) => clients.delete(client));
  // An error of an idle connection, which the pool drops by itself.
  pool.on('error', () => {});

  function watched<T>(task: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (ended) {
        reject(new ConnectionError('The database was closed'));
        return;
      }
      pending.add(reject);
      task()
        .then(resolve, (error: unknown) => reject(named(error)))
        .finally(() => pending.delete(reject));
    });
  }

  async function withClient<T>(task: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await hosts.use(() => pool.connect());
    try {
      const result = await task(client);
      client.release();
      return result;
    } catch (error) {
      // Its state is unknown.
      client.release(true);
      throw error;
    }
  }

  return {
    sql: <Row extends object>(text: TemplateStringsArray, ...values: readonly unknown[]) =>
      watched(() => withClient((client) => run<Row>(client, text, values))),
    begin: (task) =>
      watched(() =>
        withClient(async (client) => {
          await client.query('BEGIN');
          // A failure ends the connection, and with it the transaction.
          const sql: Sql = (text, ...values) => run(client, text, values);
          const result = await task(sql);
          await client.query('COMMIT');
          return result;
        }),
      ),
    async end() {
      ended ??= pool.end();
      for (const client of clients) void close(client);
      for (const reject of pending) reject(new ConnectionError('The database was closed'));
      await settles(ended, END_TIMEOUT);
    },
  };
}

/** Connections for keys, states and ownership. Statements of one session wait for each other anyway. */
const WORKERS = 4;
/** Most connections of a gateway: for the heartbeats, for the work, and the one that listens. */
export const CONNECTIONS = WORKERS + 2;
/** What `pg_stat_activity` calls the connection for the heartbeats, of which each gateway has one. */
export const BEATS = 'whatsapp-operadores beats';

/** A gateway's connections to the database, except the one that listens; they end with its membership. */
export interface Connections {
  /** For the heartbeats alone: nothing may delay them. */
  readonly beats: Database;
  readonly work: Database;
}

export async function connect(url: string): Promise<Connections> {
  return {
    beats: await connectPostgres(url, { max: 1, name: BEATS }),
    work: await connectPostgres(url, { max: WORKERS, name: 'whatsapp-operadores work' }),
  };
}

export async function end({ beats, work }: Connections): Promise<void> {
  await Promise.all([beats.end(), work.end()]);
}

/**
 * Listens to a channel, on its own connection. Resolves once it listens, with what ends it without calling `onEnd`.
 * Rejects like a statement.
 *
 * @param onEnd called once, when the connection is lost
 */
export async function listen(
  url: string,
  name: string,
  channel: string,
  onNotification: (payload: string) => void,
  onEnd: () => void,
): Promise<{ end(): Promise<void> }> {
  const { default: pg } = await import('pg');
  const open = async (host: string) => {
    const client: Client = new pg.Client(settings(host, name));
    // `end` follows.
    client.on('error', () => {});
    client.on('notification', ({ payload = '' }) => onNotification(payload));
    try {
      await client.connect();
      await checkServer(client);
      await client.query(`LISTEN ${channel}`);
      client.on('end', onEnd);
    } catch (error) {
      await close(client);
      throw named(error);
    }
    return {
      async end() {
        client.off('end', onEnd);
        await close(client);
      },
    };
  };
  return new Hosts(url).use(open);
}

/** `postgres://user:password@`, the hosts, and the rest. */
const PARTS = /^(?<start>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]+)(?<end>.*)$/;

/** Returns a URL for each host of a database's URL, which separates them by commas; undefined if it is not one. */
export function hostUrls(url: string): string[] | undefined {
  const { start, hosts, end } = PARTS.exec(url)?.groups ?? {};
  return hosts?.split(',').map((host) => `${start}${host}${end}`);
}

/** The servers of one database, of which one accepts writes. The client library knows only URLs with one host. */
class Hosts {
  readonly #urls: readonly string[];
  #place = 0;

  /** @param url `postgres://…`, with hosts separated by commas */
  constructor(url: string) {
    this.#urls = hostUrls(url) ?? [url];
  }

  /** The URL of the server to try now. */
  get current(): string {
    return this.#urls[this.#place] ?? '';
  }

  /** Tries the servers until one can be used, each once. Rejects with the error of the last one. */
  async use<T>(attempt: (url: string) => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      const url = this.current;
      try {
        return await attempt(url);
      } catch (error) {
        // Another statement may have gone on to the next one.
        if (url === this.current) this.#place = (this.#place + 1) % this.#urls.length;
        if (tried >= this.#urls.length) throw error;
      }
    }
  }
}

function settings(url: string, name: string): ClientConfig {
  return {
    connectionString: withPlainMode(url),
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    query_timeout: STATEMENT_TIMEOUT,
    keepAlive: true,
  };
}

/** The library treats all modes that require TLS as the strictest one, and prints long warnings about the others. */
function withPlainMode(url: string): string {
  return url.includes('uselibpqcompat')
    ? url
    : url.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full');
}

async function run<Row extends object>(
  client: Client,
  text: TemplateStringsArray,
  values: readonly unknown[],
): Promise<Row[]> {
  const parameters: unknown[] = [];
  const statement = text.reduce((before, part, index) => {
    const value = values[index - 1];
    return before + (value instanceof Name ? value.text : `$${parameters.push(value)}`) + part;
  });
  const { rows }: { rows: Row[] } = await client.query(statement, parameters);
  return rows;
}

/** Rejects unless the server takes writes, of every character. */
async function checkServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ isReadOnly: boolean; encoding: string }>(
    `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "isReadOnly",
      current_setting('server_encoding') AS encoding`,
  );
  const [row] = rows;
  // PostgreSQL's code for a write on a standby, or on a read-only server.
  if (row?.isReadOnly) throw new ConnectionError('The server takes no writes', '25006');
  if (row?.encoding !== 'UTF8') throw new ConnectionError('The database lacks characters', 'NOT_UTF8');
}

/**
 * Rejects if two open connections share one process of the server: a pooler passes on single transactions, and so no
 * notifications.
 */
export async function checkUnpooled(one: Sql, other: Sql): Promise<void> {
  const [[first], [second]] = [await processOf(one), await processOf(other)];
  if (first?.pid === second?.pid) throw new ConnectionError('A pooler shares the connections', 'POOLED');
}

function processOf(sql: Sql) {
  return sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`;
}

/** A lost connection cannot be ended. */
async function close(client: Client): Promise<void> {
  await settles(
    client.end().catch(() => {}),
    END_TIMEOUT,
  );
}

/** Returns the error with a code: those of the library's own have none. */
function named(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error) return error;
  const [, code] = CODES.find(([pattern]) => pattern.test(error.message)) ?? [];
  return code === undefined ? error : new ConnectionError(error.message, code);
}

/** PostgreSQL's code for a wrong password, and others, by the library's messages. */
const CODES: readonly (readonly [message: RegExp, code: string])[] = [
  [/^SASL/, '28P01'],
  [/not support SSL/, 'NO_TLS'],
  [/connect|timeout|queryable/i, 'CONNECTION_LOST'],
];
