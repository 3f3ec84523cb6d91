import { type Check, checkClock, type Diagnosis, diagnose, Fault } from '../diagnosis.ts';
import { version } from '../version.ts';
import { isOpenToAll, OPEN_TO_ALL } from './cluster-row.ts';
import {
  BEATS,
  CONNECTIONS,
  checkUnpooled,
  connectPostgres,
  type Sql,
  STATEMENT_TIMEOUT,
} from './database.ts';
import { databaseError } from './database-error.ts';
import { hasTables, VERSION } from './database-schema.ts';

/** How long a transaction of a gateway may take, waits included, in milliseconds. */
const TRANSACTION = 10_000;

/** Timeouts of the server, and the shortest that do no harm, in milliseconds. 0 turns one off. */
const SHORTEST: Readonly<Record<string, number>> = {
  // Gateways listen on a connection that is idle.
  idle_session_timeout: Number.POSITIVE_INFINITY,
  idle_in_transaction_session_timeout: TRANSACTION,
  lock_timeout: TRANSACTION,
  transaction_timeout: STATEMENT_TIMEOUT,
  // Each connection sets its own, which a pooler may drop.
  statement_timeout: STATEMENT_TIMEOUT,
};

/** Examines the database of gateways, running or not, and what they need from its server, without changes. */
export async function databaseDoctor(url: string): Promise<Diagnosis> {
  const open = () => connectPostgres(url, { max: 1, name: 'whatsapp-operadores doctor' });
  const [database, other] = await Promise.all([open(), open()]);
  const examined =
    (check: (sql: Sql) => Promise<string>): Check =>
    () =>
      check(database.sql).catch((error: unknown) => {
        throw databaseError(url, error);
      });
  try {
    const access = await diagnose([
      () => `Gateway ${version()}, schema ${VERSION}, Node ${process.versions.node}.`,
      examined((sql) => answers(sql, other.sql)),
    ]);
    if (!access.isWell) return access;
    const groups = [[schema], [timeouts], [durability], [connections], [clock], [privacy]];
    const { lines, isWell } = await diagnose(...groups.map((checks) => checks.map(examined)));
    return { lines: [...access.lines, ...lines], isWell };
  } finally {
    await Promise.all([database.end(), other.end()]);
  }
}

/** Connecting to a database that takes no writes, or is not in UTF-8, has failed before. */
async function answers(sql: Sql, other: Sql): Promise<string> {
  await checkUnpooled(sql, other);
  const [row] = await sql<{ version: string }>`SELECT current_setting('server_version') AS version`;
  return `PostgreSQL ${row?.version} answers, and takes writes.`;
}

async function schema(sql: Sql): Promise<string> {
  const [row] = await sql<{ mayCreate: boolean | null }>`
    SELECT has_schema_privilege(current_schema(), 'CREATE') AS "mayCreate"`;
  if (!row?.mayCreate) {
    throw new Fault('The user may not create tables in the database: make it the owner of the database.');
  }
  if (await hasTables(sql)) return `The tables have schema ${VERSION}.`;
  return 'No gateway has used the database yet: the first one creates its tables.';
}

async function timeouts(sql: Sql): Promise<string> {
  const rows = await sql<{ name: string; value: number }>`
    SELECT name, setting::int AS value FROM pg_settings WHERE name = ANY (${Object.keys(SHORTEST)}) ORDER BY name`;
  const short = rows.filter(({ name, value }) => value > 0 && value < (SHORTEST[name] ?? 0));
  if (short.length === 0) return 'All timeouts of the server are long enough.';
  const named = short.map(({ name, value }) => `${name} = ${value} ms`).join(', ');
  throw new Fault(
    `The server ends what the gateways need, by ${named}: set it to 0 with ALTER ROLE … SET for their role.`,
  );
}

async function durability(sql: Sql): Promise<string> {
  const [row] = await sql<{ mode: string }>`SELECT current_setting('synchronous_commit') AS mode`;
  if (row?.mode !== 'off') return 'Keys are on the disk once they are confirmed.';
  throw new Fault(
    'With synchronous_commit = off, a crash loses the last keys, and messages cannot be decrypted: set it to on.',
  );
}

async function connections(sql: Sql): Promise<string> {
  const [row] = await sql<{ gateways: number; room: number }>`
    SELECT gateways, least(
      (
        SELECT sum(CASE name WHEN 'max_connections' THEN setting::int ELSE -setting::int END) FROM pg_settings
        WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections')
      ) - others,
      (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database()),
      (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user)
    )::int AS room
    FROM (
      SELECT count(*) FILTER (WHERE datname = current_database() AND application_name = ${BEATS})::int AS gateways,
        count(datid) FILTER (WHERE application_name NOT LIKE 'whatsapp-operadores %') AS others
      FROM pg_stat_activity
    ) AS activity`;
  const { gateways, room } = row ?? { gateways: 0, room: 0 };
  const needed = Math.max(1, gateways) * CONNECTIONS;
  const sentence = `Gateways that run: ${gateways}, each with up to ${CONNECTIONS} connections; the server has ${room} for them`;
  if (needed <= room) return `${sentence}.`;
  throw new Fault(`${sentence}: raise max_connections, or the limit of the role or the database.`);
}

async function clock(sql: Sql): Promise<string> {
  const [row] = await sql<{ now: number }>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`;
  return checkClock(row?.now ?? 0, 'the database', 'set both');
}

async function privacy(sql: Sql): Promise<string> {
  if (await isOpenToAll(sql)) throw new Fault(OPEN_TO_ALL);
  return 'Only named roles may connect to the database.';
}
