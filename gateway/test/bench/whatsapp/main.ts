/** `npm run bench:whatsapp`: what linked sessions cost one gateway, with the client library and a fake WhatsApp. */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Child } from '../../../../test/bench/child.ts';
import { describeMachine } from '../../../../test/bench/machine.ts';
import { now } from '../../../../test/bench/now.ts';
import { percentile } from '../../../../test/bench/statistics.ts';
import { TIMINGS, type Timings } from '../../../src/engines/whatsapp/timings.ts';
import { message } from '../../support/gateway.ts';
import type { GatewayCalls, Usage } from './gateway-process.ts';
import type { PanelsCalls } from './panels-process.ts';
import type { PhonesCalls, Seen } from './phones-process.ts';
import { post } from './requests.ts';

const options = parseArgs({
  options: {
    sessions: { type: 'string', default: '500' },
    /** A folder for the gateway's CPU profiles. */
    profile: { type: 'string' },
  },
}).values;

const SESSIONS = Number(options.sessions);
const PANELS = 200;
/** Owners who scan at the same time. */
const SCANS = 10;
const MINUTE = 60_000;
/** How much faster the keep-alives of the hour that passes in a minute are. */
const FASTER = 60;
/** Messages of each session. */
const EACH = 2;

const numeros = Array.from({ length: SESSIONS }, (_, index) => String(34_600_000_000 + index));
const folder = mkdtempSync(join(tmpdir(), 'wo-'));
const phones = new Child<PhonesCalls>(new URL('phones-process.ts', import.meta.url));
const panels = new Child<PanelsCalls>(new URL('panels-process.ts', import.meta.url));
const whatsapp = await phones.ask('start');

console.log(`${describeMachine()}, load before: ${loadavg()[0]?.toFixed(1)}, ${SESSIONS} sessions\n`);
console.log('| what | |\n| --- | --- |');
try {
  const empty = await link();
  await restart(empty);
  await hourAtSpeed(empty);
  await probesAtSpeed(empty);
} finally {
  await phones.end();
  await panels.end();
  rmSync(folder, { recursive: true, force: true });
}

/** Links all sessions and leaves them idle. Returns what the gateway used before. */
async function link(): Promise<Empty> {
  const { gateway, url } = await startGateway('data');
  const usage = await gateway.ask('usage');
  const empty: Empty = { ...usage, live: await gateway.ask('live') };
  print('gateway without sessions', `${memoryOf(empty)}, of which in use ${megabytes(empty.live)}`);
  const start = now();
  await phones.ask('link', { url, numeros, atOnce: SCANS });
  print('linked by scan, ten at a time, in', seconds(now() - start));
  print('right after, a session', memoryOf(await gateway.ask('usage'), empty));
  await printSeen();
  await idle(gateway, empty);
  await gateway.end('SIGTERM');
  return empty;
}

/** Starts the gateway again, leaves it idle, and sends messages. */
async function restart(empty: Empty): Promise<void> {
  await phones.ask('seen');
  const start = now();
  const { gateway, url } = await startGateway('data');
  const listening = now();
  await gateway.ask('watch');
  await phones.ask('connected', { url, count: SESSIONS });
  const connected = now();
  const load = await gateway.ask('load');
  print('restart: listens after', seconds(listening - start));
  print('restart: all connected after', seconds(connected - start));
  print('restart: gateway meanwhile', `${percent(load.cpu)}, loop late p99 ${ms(load.loopDelay)}`);
  const seen = await printSeen();
  print('restart: logins a second, at most', perSecond(seen.logins));
  print('right after, a session', memoryOf(await gateway.ask('usage'), empty));
  await idle(gateway, empty);
  await panels.ask('open', { url, count: PANELS });
  await messagesAtPace(gateway, url);
  await wait(2_000);
  await messagesAtOnce(gateway, url);
  await gateway.end('SIGTERM');
}

/** Leaves the gateway idle for a minute, in which as many keep-alives pass as in an hour. */
async function hourAtSpeed(empty: Empty): Promise<void> {
  const { gateway, url } = await startGateway('data', { keepAlive: TIMINGS.keepAlive / FASTER });
  await phones.ask('connected', { url, count: SESSIONS });
  print('idle hour, at its start, a session', memoryOf(await gateway.ask('usage'), empty));
  await phones.ask('seen');
  await gateway.ask('watch');
  await wait(MINUTE);
  const load = await gateway.ask('load');
  const { keepAlives } = await printSeen();
  print('idle hour: keep-alives a session', (keepAlives / SESSIONS).toFixed(0));
  print('idle hour: gateway', percent(load.cpu));
  print('idle hour, at its end, a session', memoryOf(await gateway.ask('usage'), empty));
  print('its objects in use, a session', kilobytes(((await gateway.ask('live')) - empty.live) / SESSIONS));
  await gateway.end('SIGTERM');
}

/** Leaves the gateway idle without probes, and with as many in a minute as otherwise in ten. */
async function probesAtSpeed(empty: Empty): Promise<void> {
  for (const probe of [0, MINUTE / 2]) {
    const { gateway, url } = await startGateway('data', {}, probe);
    await phones.ask('connected', { url, count: SESSIONS });
    // What follows a login passes, and the sessions become due.
    await wait(MINUTE / 2);
    await gateway.ask('watch');
    await wait(MINUTE);
    const load = await gateway.ask('load');
    const when = probe === 0 ? 'without probes' : 'ten times the probes';
    print(`${when}: gateway`, percent(load.cpu));
    const live = (await gateway.ask('live')) - empty.live;
    print(`${when}: objects in use`, megabytes(live));
    await gateway.end('SIGTERM');
  }
}

async function startGateway(name: string, timings: Partial<Timings> = {}, probe = 5 * MINUTE) {
  const nodeOptions =
    options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  const gateway = new Child<GatewayCalls>(new URL('gateway-process.ts', import.meta.url), nodeOptions);
  const url = await gateway.ask('start', { folder: join(folder, name), whatsapp, timings, probe });
  return { gateway, url };
}

async function idle(gateway: Child<GatewayCalls>, empty: Empty): Promise<void> {
  const before = await gateway.ask('usage');
  const start = now();
  await wait(MINUTE);
  const after = await gateway.ask('usage');
  print('idle minute: gateway', percent((after.cpu - before.cpu) / (now() - start)));
  print('after it, a session', memoryOf(after, empty));
  print('its objects in use, a session', kilobytes(((await gateway.ask('live')) - empty.live) / SESSIONS));
}

/** Sends all messages in a minute, while each second another session loses its line. */
async function messagesAtPace(gateway: Child<GatewayCalls>, url: string): Promise<void> {
  const cuts = new Map<string, number>();
  let current = 0;
  const cutting = (async () => {
    for (let second = 1; second < MINUTE / 1_000; second += 1) {
      await wait(1_000);
      // Its own turn is half a round away.
      const numero = numeros[(current + Math.floor(SESSIONS / 2)) % SESSIONS] ?? '';
      if (!cuts.has(numero)) cuts.set(numero, await phones.ask('cut', numero));
    }
  })();
  await messages('a minute', gateway, async () => {
    const start = now();
    const count = SESSIONS * EACH;
    const sent: Promise<Sent>[] = [];
    for (let index = 0; index < count; index += 1) {
      await wait(Math.max(0, start + (index / count) * MINUTE - now()));
      current = index % SESSIONS;
      sent.push(send(url, index));
    }
    await cutting;
    return Promise.all(sent);
  });
  await wait(1_000);
  const heard = await panels.ask('heard');
  const delays = [...cuts].flatMap(([numero, cut]) => (heard.get(numero) ?? []).map((at) => at - cut));
  print(`lines cut meanwhile, pushes to ${PANELS} panels`, `${cuts.size}, ${delays.length}`);
  print('from the cut until a panel has the push', spread(delays));
}

async function messagesAtOnce(gateway: Child<GatewayCalls>, url: string): Promise<void> {
  const all = Array.from({ length: SESSIONS * EACH }, (_, index) => index);
  await messages('at once', gateway, () => Promise.all(all.map((index) => send(url, index))));
}

async function messages(
  when: string,
  gateway: Child<GatewayCalls>,
  sendAll: () => Promise<Sent[]>,
): Promise<void> {
  await phones.ask('seen');
  await gateway.ask('watch');
  const start = now();
  const sent = await sendAll();
  const took = now() - start;
  const load = await gateway.ask('load');
  const delays = sent.flatMap(({ status, delay }) => (status === 200 ? [delay] : []));
  print(`${sent.length} messages, ${when}`, seconds(took));
  print(`${when}: failures`, failuresOf(sent));
  print(`${when}: answered after`, spread(delays));
  print(
    `${when}: gateway`,
    `${percent(load.cpu)}, loop late p99 ${ms(load.loopDelay)}, ${megabytes(load.memory)}`,
  );
  const { messages: received } = await printSeen();
  print(`${when}: received by their phones`, received);
}

/** What the gateway uses before its first session. */
interface Empty extends Usage {
  /** Objects in use, in bytes. */
  readonly live: number;
}

interface Sent {
  readonly status: number;
  /** From the request to its answer, in milliseconds. */
  readonly delay: number;
}

/** Sends a message of the next session, to a number of its own. */
async function send(url: string, index: number): Promise<Sent> {
  const session = index % SESSIONS;
  const start = now();
  const body = message(numeros[session] ?? '', [34_700_000_000 + session]);
  const status = await post(url, '/api/message', index, body);
  return { status, delay: now() - start };
}

function failuresOf(sent: readonly Sent[]): string {
  const failed = sent.filter(({ status }) => status !== 200).map(({ status }) => status);
  const kinds = [...new Set(failed)];
  return kinds.length === 0
    ? '0'
    : kinds.map((kind) => `${failed.filter((status) => status === kind).length} × ${kind}`).join(', ');
}

/** The fake must not be what is slow. */
async function printSeen(): Promise<Seen> {
  const seen = await phones.ask('seen');
  print('(the fake WhatsApp)', `${percent(seen.cpu)}, ${seen.errors} errors`);
  return seen;
}

/** Returns the most logins within any second. */
function perSecond(logins: readonly number[]): number {
  return Math.max(0, ...logins.map((from) => logins.filter((at) => at >= from && at < from + 1_000).length));
}

function spread(delays: readonly number[]): string {
  const [median, p95, worst] = [0.5, 0.95, 1].map((share) => ms(percentile(delays, share)));
  return `median ${median}, p95 ${p95}, longest ${worst}`;
}

/** Returns the memory of the process; above `empty`, divided among the sessions. */
function memoryOf({ memory, heap }: Usage, empty?: Empty): string {
  const whole = `${megabytes(memory)}, objects ${megabytes(heap)}`;
  return empty ? `${kilobytes((memory - empty.memory) / SESSIONS)} (${whole})` : whole;
}

function print(what: string, value: string | number): void {
  console.log(`| ${what} | ${value} |`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

function seconds(duration: number): string {
  return `${(duration / 1_000).toFixed(1)} s`;
}

function ms(duration: number): string {
  return `${Math.round(duration)} ms`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1e3)} kB`;
}
