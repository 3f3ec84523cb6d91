/** `npm run bench:gateway`: how much one gateway process can carry, and what fails first beyond that. */
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { describeMachine } from '../../../test/bench/machine.ts';
import {
  type PushCase,
  type PushResult,
  pushes,
  type RestartResult,
  restart,
  type SlowCase,
  type SlowResult,
  slowConsumers,
} from './scenarios.ts';
import { tablesOf } from './traffic/table.ts';
import { type TrafficResult, traffic } from './traffic/traffic.ts';

const SESSIONS = 5_000;

const { quick, json, profile, only } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** A file to write the results to. */
    json: { type: 'string' },
    /** A folder for the gateway's CPU profiles. */
    profile: { type: 'string' },
    /** A single case, such as `500x200` (pushes per second, panels), `slow-consumers`, `restart` or `traffic`. */
    only: { type: 'string' },
  },
}).values;
const gatewayOptions = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];

/** Pushes per second, and panels. */
type Step = readonly [rate: number, panels: number];
const TARGET: Step = [500, 200];
/** Beyond these: more pushes, then more panels, until a step fails. */
const LADDERS: readonly (readonly Step[])[] = [
  [
    [1_000, 200],
    [2_000, 200],
    [4_000, 200],
    [8_000, 200],
  ],
  [
    [500, 400],
    [500, 800],
    [500, 1_600],
  ],
];
/** A step has failed when 1 % of the pushes take longer, in milliseconds. */
const TOO_LATE = 1_000;

/** Panels that stop reading, beside some that do not. */
const SLOW: SlowCase = { sessions: SESSIONS, slow: 100, panels: 10, rate: 772, minutes: quick ? 3 : 10 };

/** For how many sessions requests and bytes are counted. */
const TRAFFIC = [60, 1_000];

const pushed: PushResult[] = [];
const slowed: SlowResult[] = [];
const restarted: RestartResult[] = [];
const counted: TrafficResult[] = [];
console.log(`${describeMachine()}, load before: ${loadavg()[0]?.toFixed(1)}\n`);
const isPush = only !== undefined && /^\d+x\d+$/.test(only);
if (only === undefined || isPush) {
  console.log(`| pushes/s | panels | gateway | its memory | its loop, p99 | delay, median | p99 | longest | lost | repeated | late | player | its loop, p99 |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |`);
}
if (only === undefined) {
  await push(TARGET, quick ? 10 : 60);
  for (const ladder of LADDERS) {
    for (const step of ladder) if ((await push(step, 10)).delay.p99 > TOO_LATE) break;
  }
} else if (isPush) {
  const [rate = 0, panels = 0] = only.split('x').map(Number);
  await push([rate, panels], quick ? 10 : 60);
}
if (only === undefined || only === 'slow-consumers') {
  console.log(`\n| slow consumers | pushes/s | gateway | its memory, from minute to minute | growth | closed | other panels | delay, median | p99 | longest | lost | repeated | late |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |`);
  const result = await slowConsumers(SLOW, gatewayOptions);
  slowed.push(result);
  console.log(slowRow(result));
}
if (only === undefined || only === 'restart') {
  console.log(`\n| panels | down | first back | half | all | gateway | its memory | its loop, p99 | requests | answers | failed | lists |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |`);
  const result = await restart(SESSIONS, 100, gatewayOptions);
  restarted.push(result);
  console.log(restartRow(result));
}
if (only === undefined || only === 'traffic') {
  counted.push(...(await Promise.all(TRAFFIC.map(traffic))));
  console.log(`\n${tablesOf(counted)}`);
}
const results = { pushed, slowed, restarted, counted };
if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);

async function push([rate, panels]: Step, seconds: number): Promise<PushResult> {
  const scene: PushCase = { sessions: SESSIONS, panels, rate, seconds };
  const result = await pushes(scene, gatewayOptions);
  pushed.push(result);
  console.log(pushRow(result));
  return result;
}

/** Returns the cells for what the panels received, and when. */
function heardCells({
  delay,
  lost,
  repeated,
  late,
}: Pick<PushResult, 'delay' | 'lost' | 'repeated' | 'late'>) {
  return [milliseconds(delay.median), milliseconds(delay.p99), milliseconds(delay.max), lost, repeated, late];
}

function pushRow(result: PushResult): string {
  const { rate, panels, gateway, player } = result;
  const cells = [
    rate,
    panels,
    percent(gateway.cpu),
    megabytes(gateway.memory),
    milliseconds(gateway.loopDelay),
    ...heardCells(result),
    percent(player.cpu),
    milliseconds(player.loopDelay),
  ];
  return row(cells);
}

function slowRow(result: SlowResult): string {
  const { slow, rate, cpu, memory, growth, closed, panels } = result;
  const cells = [
    slow,
    rate,
    percent(cpu),
    memory.map(megabytes).join(', '),
    growth === undefined ? '–' : `${megabytes(growth)} a minute`,
    closed,
    panels,
    ...heardCells(result),
  ];
  return row(cells);
}

function restartRow({ panels, down, back, gateway, traffic, failed, bytes }: RestartResult): string {
  const cells = [
    panels,
    milliseconds(down),
    milliseconds(back.first),
    milliseconds(back.median),
    milliseconds(back.last),
    percent(gateway.cpu),
    megabytes(gateway.memory),
    milliseconds(gateway.loopDelay),
    traffic.requests,
    Object.entries(traffic.answers)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', '),
    failed,
    megabytes(bytes),
  ];
  return row(cells);
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
