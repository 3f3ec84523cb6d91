/** `npm run bench:cluster`: pushes over several gateways on one PostgreSQL; with `-- scale`, a hundred of them. */
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { describeMachine } from '../../../../test/bench/machine.ts';
import { startPostgres } from '../../cluster/support/postgres.ts';
import { type ClusterResult, clusterPushes } from './pushes.ts';
import { type Scale, type Step, scale } from './scale.ts';

const SESSIONS = 5_000;
const RATES = [500, 2_000, 8_000];
/** One without a database comes first: the others are compared with it. */
const GATEWAYS = [0, 2, 4];
/** Beside the rates, with few panels: many of them. */
const MANY = { rate: 500, panels: 200, gateways: [0, 3] };

/** By simulation, without phones. */
const LARGE: Scale = {
  nodes: 100,
  sessions: 50_000,
  rack: 10,
  lease: 15,
  processes: 3,
  rates: [90, 300, 900],
};
const SMALL: Scale = { nodes: 20, sessions: 10_000, rack: 5, lease: 5, processes: 3, rates: [90, 300] };
/** Of each node. */
const CONNECTIONS = 6;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    /** A file to write the results to. */
    json: { type: 'string' },
    /** A single case, such as `2x500` (gateways, pushes per second) or `panels`. */
    only: { type: 'string' },
  },
});

const isScale = positionals[0] === 'scale';
const scene = values.quick ? SMALL : LARGE;
/** Beside those of the nodes, some for the benchmark. */
const maxConnections = isScale ? CONNECTIONS * scene.nodes + 20 : 100;
/** Whole pushes for two, three and four gateways. */
const seconds = values.quick ? 6 : 12;
const results: ClusterResult[] = [];
const ends: (() => unknown)[] = [];
console.log(`${describeMachine()}, load before: ${loadavg()[0]?.toFixed(1)}\n`);
try {
  const scope = { after: (end: () => unknown) => ends.push(end) };
  const server = await startPostgres(scope, { isDurable: true, maxConnections });
  if (isScale) await scale(scene, await server.freshDatabase(), (step) => console.log(line(step)));
  else await pushes(() => server.freshDatabase());
} finally {
  for (const end of ends.reverse()) await end();
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);

async function pushes(freshDatabase: () => Promise<string>): Promise<void> {
  console.log(`| gateways | panels each | pushes/s | CPU, all gateways | to one alone | busiest loop, p99 | PostgreSQL | delay, median | p99 | longest | to one alone, median | lost | panels closed | repeated | out of order | lists equal the table | panels' process |
${'| --- '.repeat(17)}|`);
  const cases = [
    ...RATES.flatMap((rate) => GATEWAYS.map((gateways) => ({ gateways, rate, panels: 1 }))),
    ...MANY.gateways.map((gateways) => ({ gateways, rate: MANY.rate, panels: MANY.panels })),
  ];
  let alone: ClusterResult | undefined;
  for (const scene of cases.filter(isWanted)) {
    const result = await clusterPushes({ ...scene, sessions: SESSIONS, seconds }, await freshDatabase());
    if (scene.gateways === 0) alone = result;
    results.push(result);
    console.log(row(result, alone));
  }
}

/** With a single case comes the one that it is compared with. */
function isWanted({ gateways, rate, panels }: { gateways: number; rate: number; panels: number }): boolean {
  if (values.only === undefined) return true;
  if (panels === MANY.panels) return values.only === 'panels';
  return values.only === `${gateways}x${rate}` || (gateways === 0 && values.only.endsWith(`x${rate}`));
}

function row(result: ClusterResult, alone: ClusterResult | undefined): string {
  const { gateways, panels, rate, loads, server, delay, lost, closed, repeated, late, isEqual, player } =
    result;
  const isCompared = gateways > 0 && alone !== undefined;
  const cells = [
    gateways === 0 ? '1, no database' : gateways,
    panels,
    rate,
    percent(cpuOf(result)),
    isCompared ? `× ${(cpuOf(result) / cpuOf(alone)).toFixed(1)}` : '–',
    milliseconds(Math.max(...loads.map(({ loopDelay }) => loopDelay))),
    server ? percent(server.cpu) : '–',
    milliseconds(delay.median),
    milliseconds(delay.p99),
    milliseconds(delay.max),
    isCompared ? `+ ${milliseconds(delay.median - alone.delay.median)}` : '–',
    lost,
    closed,
    repeated,
    late,
    isEqual === undefined ? '–' : isEqual ? 'yes' : 'NO',
    percent(player.cpu),
  ];
  return `| ${cells.join(' | ')} |`;
}

function line({ name, figures }: Step): string {
  return `${name}: ${Object.entries(figures)
    .map(([what, figure]) => `${what} ${figure}`)
    .join(', ')}`;
}

function cpuOf({ loads }: ClusterResult): number {
  return loads.reduce((sum, { cpu }) => sum + cpu, 0);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
