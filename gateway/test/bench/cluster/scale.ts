import { STATES } from '../../../../src/wire.ts';
import { Child } from '../../../../test/bench/child.ts';
import { until } from '../../../../test/support/until.ts';
import { LINKED } from '../../../src/engines/simulated/seeds.ts';
import { connectPostgres, type Sql } from '../../../src/ledger/database.ts';
import { prepareTables } from '../../../src/ledger/database-schema.ts';
import { CREDENTIALS } from '../../../src/ledger/row.ts';
import { verbatim } from '../../cluster/support/postgres.ts';
import type { NodesCalls } from './nodes-process.ts';
import { type ServerLoad, ServerWatch } from './server-load.ts';

const NODES = new URL('nodes-process.ts', import.meta.url);
/** The first number: Spain's mobile numbers are valid, and their own keys. */
const FIRST = 34_600_000_000;
/** Longest wait for any step, in milliseconds. */
const PATIENCE = 300_000;
/** How long pushes take, in seconds. */
const PUSHING = 10;
/** Between two looks at the table, in milliseconds. */
const LOOK = 100;

export interface Scale {
  readonly nodes: number;
  readonly sessions: number;
  /** Nodes that are killed at the same moment. */
  readonly rack: number;
  /** In seconds. */
  readonly lease: number;
  /** Processes of the other nodes. */
  readonly processes: number;
  /** Pushes per second of all nodes together, step by step. */
  readonly rates: readonly number[];
}

/** What a step did, in seconds from its beginning. */
export interface Step {
  readonly name: string;
  readonly figures: Readonly<Record<string, string>>;
}

/**
 * A large cluster without phones, on a fresh database: its start, a calm time, pushes, and the loss of a rack.
 *
 * @param show called with each step when it is done
 */
export async function scale(scene: Scale, database: string, show: (step: Step) => void): Promise<void> {
  const { sql, end } = await connectPostgres(database, { max: 2, name: 'bench' });
  const cluster = new Cluster(scene, database, sql);
  try {
    await createTables(database);
    await plant(sql, scene.sessions);
    show(await cluster.open());
    show(await cluster.claimAll());
    show(await cluster.rest());
    for (const rate of scene.rates) show(await cluster.push(rate));
    show(await cluster.loseRack());
  } finally {
    await cluster.end();
    await end();
  }
}

async function createTables(url: string): Promise<void> {
  const database = await connectPostgres(url, { max: 1, name: 'bench' });
  await prepareTables(database);
  await database.end();
}

async function plant(sql: Sql, sessions: number): Promise<void> {
  const { type, id } = CREDENTIALS;
  await sql`
    INSERT INTO session (id, numero, state, waiting)
    SELECT number::text, number::text, ${STATES.authenticating}, true
    FROM generate_series(${FIRST}::bigint, ${FIRST + sessions - 1}::bigint) AS number`;
  await sql`INSERT INTO key (session, type, id, value) SELECT id, ${type}, ${id}, ${LINKED} FROM session`;
  await sql`ANALYZE`;
}

class Cluster {
  readonly #scene: Scale;
  readonly #database: string;
  readonly #sql: Sql;
  readonly #rack = new Child<NodesCalls>(NODES, ['--expose-gc']);
  readonly #others: readonly Child<NodesCalls>[];
  #hasRack = true;

  constructor(scene: Scale, database: string, sql: Sql) {
    this.#scene = scene;
    this.#database = database;
    this.#sql = sql;
    this.#others = Array.from({ length: scene.processes }, () => new Child(NODES, ['--expose-gc']));
  }

  get #all(): readonly Child<NodesCalls>[] {
    return this.#hasRack ? [this.#rack, ...this.#others] : this.#others;
  }

  async open(): Promise<Step> {
    const { nodes, sessions, rack, lease, processes } = this.#scene;
    const options = { database: this.#database, lease, capacity: Math.ceil(sessions / nodes) };
    const begun = performance.now();
    const counts = [rack, ...this.#others.map(() => (nodes - rack) / processes)];
    const memory = await Promise.all(
      this.#all.map((child, place) => child.ask('open', { ...options, count: counts[place] ?? 0 })),
    );
    const each = Math.max(...memory);
    return {
      name: `${nodes} nodes connect and read ${sessions} sessions`,
      figures: { took: since(begun), 'list of each': `${(each / 1e6).toFixed(1)} MB` },
    };
  }

  async claimAll(): Promise<Step> {
    const { sessions } = this.#scene;
    const begun = performance.now();
    const watch = await ServerWatch.start(this.#sql);
    const joined = Promise.all(this.#all.map((child) => child.ask('join'))).then(() => since(begun));
    const queue = this.#watchQueue();
    const claimed = this.#until('owner IS NOT NULL', sessions).then(() => since(begun));
    const connected = this.#until(`state = '${STATES.connected}'`, sessions).then(() => since(begun));
    const figures = {
      joined: await joined,
      claimed: await claimed,
      'connected in the table': await connected,
    };
    await this.#untilListed();
    const listed = since(begun);
    return {
      name: 'All sessions are free, and the nodes join',
      figures: { ...figures, 'on every list': listed, ...queue(), ...describe(await watch.stop()) },
    };
  }

  async rest(): Promise<Step> {
    const seconds = this.#scene.lease * 2;
    const watch = await ServerWatch.start(this.#sql);
    await Promise.all(this.#all.map((child) => child.ask('watch')));
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    const server = await watch.stop();
    const [row] = await this.#sql<{ ours: string }>`
      SELECT count(*) AS ours FROM pg_stat_activity WHERE application_name LIKE 'whatsapp-operadores%'`;
    return {
      name: `Nothing happens for ${seconds} s`,
      figures: {
        ...describe(server),
        ...(await this.#cpu()),
        connections: String(row?.ours),
      },
    };
  }

  async push(rate: number): Promise<Step> {
    const { nodes, processes } = this.#scene;
    const seconds = PUSHING;
    const watch = await ServerWatch.start(this.#sql);
    const queue = this.#watchQueue();
    await Promise.all(this.#all.map((child) => child.ask('watch')));
    const begun = performance.now();
    await Promise.all(this.#others.map((child) => child.ask('push', { rate: rate / processes, seconds })));
    const pushed = performance.now();
    const server = await watch.stop();
    const cpu = await this.#cpu();
    const expected = rate * seconds * (nodes - this.#scene.rack);
    let heard = 0;
    const isHeard = async () => {
      heard = 0;
      for (const child of this.#others) heard += await child.ask('heard');
      return heard >= expected;
    };
    await until(isHeard, 'all pushes to be heard', 60_000).catch(() => {});
    return {
      name: `${rate} pushes/s for ${seconds} s`,
      figures: {
        'pushing took': `${((pushed - begun) / 1_000).toFixed(1)} s`,
        'all heard after': `${((performance.now() - pushed) / 1_000).toFixed(1)} s more`,
        missing: String(expected - heard),
        ...queue(),
        ...describe(server),
        ...cpu,
      },
    };
  }

  async loseRack(): Promise<Step> {
    const { sessions, rack, lease } = this.#scene;
    // The share of each was its capacity: now there has to be room for more.
    await this.#sql`UPDATE node SET capacity = NULL`;
    await new Promise((resolve) => setTimeout(resolve, lease * 1_000));
    const dead = await this.#sql<{ id: string }>`
      SELECT id FROM node WHERE url LIKE ${`${await this.#rack.ask('url')}/%`}`;
    const ids = dead.map(({ id }) => id);
    const watch = await ServerWatch.start(this.#sql);
    const queue = this.#watchQueue();
    const begun = performance.now();
    await this.#rack.end();
    this.#hasRack = false;
    const first = this.#first(ids).then(() => since(begun));
    const list = ids.map((id) => `'${id}'`).join(', ');
    await this.#until(`owner NOT IN (${list})`, sessions);
    const claimed = since(begun);
    await this.#until(`state = '${STATES.connected}'`, sessions);
    await this.#untilListed();
    const listed = since(begun);
    const shares = (await Promise.all(this.#all.map((child) => child.ask('owned')))).flat();
    return {
      name: `${rack} nodes are killed at one moment, lease ${lease} s`,
      figures: {
        'first session taken': await first,
        'all taken': claimed,
        'connected on every list': listed,
        shares: `${Math.min(...shares)} to ${Math.max(...shares)}`,
        ...queue(),
        PostgreSQL: percentOfCore(await watch.stop()),
      },
    };
  }

  async end(): Promise<void> {
    await Promise.all(this.#all.map((child) => child.end()));
  }

  async #first(dead: readonly string[]): Promise<void> {
    const share = this.#scene.sessions - (this.#scene.sessions / this.#scene.nodes) * dead.length;
    const list = dead.map((id) => `'${id}'`).join(', ');
    await this.#until(`owner NOT IN (${list})`, share + 1);
  }

  /** Waits until at least this many sessions are so. */
  async #until(condition: string, count: number): Promise<void> {
    const end = performance.now() + PATIENCE;
    for (;;) {
      const [row] = await this.#sql(verbatim(`SELECT count(*) AS count FROM session WHERE ${condition}`));
      if (Number(row?.count) >= count) return;
      if (performance.now() > end) throw new Error(`Only ${row?.count} sessions of ${count}: ${condition}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
  }

  async #untilListed(): Promise<void> {
    const { sessions } = this.#scene;
    const areListed = async () => {
      const listed = await Promise.all(this.#all.map((child) => child.ask('listed')));
      return Math.min(...listed) === sessions;
    };
    await until(areListed, 'all sessions to be connected on every list', PATIENCE);
  }

  /** Watches how full the server's queue of notifications gets. */
  #watchQueue(): () => Step['figures'] {
    let most = 0;
    const look = async () => {
      const [row] = await this.#sql<{ usage: number }>`SELECT pg_notification_queue_usage() AS usage`;
      most = Math.max(most, row?.usage ?? 0);
    };
    const timer = setInterval(() => void look().catch(() => {}), LOOK);
    return () => {
      clearInterval(timer);
      return { 'NOTIFY queue': `${(most * 100).toFixed(3)} %` };
    };
  }

  async #cpu(): Promise<Step['figures']> {
    const loads = await Promise.all(this.#all.map((child) => child.ask('load')));
    const cpu = loads.reduce((sum, load) => sum + load.cpu, 0);
    const nodes = this.#hasRack ? this.#scene.nodes : this.#scene.nodes - this.#scene.rack;
    return { 'CPU of a node': `${((cpu / nodes) * 100).toFixed(2)} %` };
  }
}

function describe(load: ServerLoad): Step['figures'] {
  return { PostgreSQL: percentOfCore(load), 'commits/s': String(Math.round(load.commitsPerSecond)) };
}

function percentOfCore({ cpu }: ServerLoad): string {
  return `${Math.round(cpu * 100)} % of a core`;
}

function since(begun: number): string {
  return `${((performance.now() - begun) / 1_000).toFixed(1)} s`;
}
