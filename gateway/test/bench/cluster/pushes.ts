import { isDeepStrictEqual } from 'node:util';
import { Child } from '../../../../test/bench/child.ts';
import { until } from '../../../../test/support/until.ts';
import { sessionOf } from '../../../src/cluster/session-cache.ts';
import { connectPostgres, type Sql } from '../../../src/ledger/database.ts';
import type { SessionRow } from '../../../src/ledger/session-rows.ts';
import { Delays } from '../delays.ts';
import type { Load } from '../load.ts';
import type { GatewayCalls } from './gateway-process.ts';
import type { PanelsCalls } from './panels-process.ts';
import { type ServerLoad, ServerWatch } from './server-load.ts';

const GATEWAY = new URL('gateway-process.ts', import.meta.url);
const PANELS = new URL('panels-process.ts', import.meta.url);
/** Longest wait for the phones to be connected, in milliseconds. */
const PATIENCE = 120_000;

interface ClusterCase {
  /** On one database; 0 for one without. */
  readonly gateways: number;
  /** Per gateway. */
  readonly panels: number;
  readonly sessions: number;
  /** Pushes per second of all gateways together. */
  readonly rate: number;
  readonly seconds: number;
}

export interface ClusterResult extends ClusterCase {
  /** The load of each gateway. */
  readonly loads: readonly Load[];
  readonly server: ServerLoad | undefined;
  /** The panels' process: when it is busy, the delays are its own. */
  readonly player: Load;
  /** From when a push was due at the gateway that owns its number until a panel had it, in milliseconds. */
  readonly delay: { readonly median: number; readonly p99: number; readonly max: number };
  readonly lost: number;
  readonly repeated: number;
  /** Pushes that a panel heard after a later one of the same number. */
  readonly late: number;
  /** Panels whose connection ended: they lost what came afterwards. */
  readonly closed: number;
  /** Whether every gateway's list is the table at the end; undefined without a database. */
  readonly isEqual: boolean | undefined;
}

/**
 * Pushes at an even pace, by all gateways in turns, to panels of all gateways.
 *
 * @param database a fresh one
 */
export async function clusterPushes(scene: ClusterCase, database: string): Promise<ClusterResult> {
  const { gateways, panels, sessions, rate, seconds } = scene;
  const isCluster = gateways > 0;
  const of = Math.max(gateways, 1);
  const share = Math.ceil(sessions / of);
  const children = Array.from({ length: of }, () => new Child<GatewayCalls>(GATEWAY));
  const player = new Child<PanelsCalls>(PANELS);
  const { sql, end } = await connectPostgres(database, { max: 1, name: 'bench' });
  try {
    const urls: string[] = [];
    const start = isCluster ? { sessions, cluster: { database, share } } : { sessions };
    for (const child of children) urls.push(await child.ask('start', start));
    let connected: readonly number[] = [];
    const areConnected = async () => {
      connected = await Promise.all(children.map((child) => child.ask('connected')));
      return connected.reduce((sum, count) => sum + count, 0) === sessions;
    };
    await until(areConnected, 'all phones to be connected', PATIENCE);
    const phones = Math.min(...connected);
    const pushes = rate * seconds;
    await player.ask('listen', { urls, panels, pushes, lanes: of * phones });
    await Promise.all(children.map((child) => child.ask('watch')));
    const watch = isCluster ? await ServerWatch.start(sql) : undefined;
    await Promise.all(
      children.map((child, place) => child.ask('push', { rate: rate / of, seconds, place, of, phones })),
    );
    const server = await watch?.stop();
    const loads = await Promise.all(children.map((child) => child.ask('load')));
    const playerLoad = await player.ask('load');
    const { delays: counts, ...heard } = await player.ask('heard', pushes);
    const delays = new Delays();
    delays.addAll(counts);
    const delay = { median: delays.quantile(0.5), p99: delays.quantile(0.99), max: delays.quantile(1) };
    const isEqual = isCluster ? await areEqual(urls, sql) : undefined;
    return { ...scene, loads, server, player: playerLoad, delay, ...heard, isEqual };
  } finally {
    await end();
    await player.end();
    await Promise.all(children.map((child) => child.end('SIGTERM')));
  }
}

/** Whether every gateway lists what the table has, in its order. */
async function areEqual(urls: readonly string[], sql: Sql): Promise<boolean> {
  const rows = await sql<SessionRow>`
    SELECT numero, state, qr, waiting, place, version FROM session ORDER BY place`;
  const table = rows.map(sessionOf);
  for (const url of urls) {
    const list: unknown = JSON.parse(await (await fetch(`${url}/api/session/sessions`)).text());
    if (!isDeepStrictEqual(list, table)) return false;
  }
  return true;
}
