import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { REMOTE_ENGINES, type RemoteName } from '../../gateway/src/engines/remote/names.ts';
import type { Fault } from '../../gateway/test/stand-ins/faults.ts';
import { KEY, StandIn } from '../../gateway/test/stand-ins/stand-in.ts';
import { address, type Run, run } from '../../gateway/test/support/command.ts';
import { call, itemOf } from '../../gateway/test/support/gateway.ts';
import { STATES } from '../../src/wire.ts';
import type { Scope } from '../support/scope.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import type { Attack } from './attack.ts';
import type { Random } from './random.ts';
import { Probe } from './servers/probe.ts';

/** The longest time that an answer may take, in milliseconds. */
const PATIENCE = 2_000;
/** How long it may take until a crowd is listed, or what a feed tells that was closed for its flood, in milliseconds. */
const LONG = 90_000;
/** By how much the gateway's memory may grow, in bytes: a long list, and what the garbage collector leaves. */
const GROWTH = 250_000_000;

/** A session that is linked all the time, one that waits for a phone, and the phone that it must not take. */
const LINKED = '34600000001';
const WAITING = '34600000002';
const WRONG = '34600000003';
/** The first of the numbers of a crowd. */
const CROWD = 34_600_200_000;

const FAULTS: readonly Fault['as'][] = ['html', 'half', 'cut', 'endless', { status: 500 }, { status: 401 }];

class Scene {
  readonly #random: Random;
  readonly #standIn: StandIn;
  readonly #url: string;

  constructor(random: Random, standIn: StandIn, url: string) {
    this.#random = random;
    this.#standIn = standIn;
    this.#url = url;
  }

  get harms(): (() => Promise<void>)[] {
    return [this.flood, this.crowd, this.oddCodes, this.wrongPhone, this.badAnswers];
  }

  async flood(): Promise<void> {
    const events = 2 * this.#random.integer(1_000, 50_000);
    await this.#standIn.command({ do: 'flood', name: LINKED, events });
  }

  async crowd(): Promise<void> {
    const count = this.#random.integer(100, 4_000);
    await this.#standIn.command({ do: 'crowd', first: CROWD, count });
    await until(() => this.#item(String(CROWD)), 'the first of the crowd', LONG);
  }

  async oddCodes(): Promise<void> {
    const odd = ['\0', '\u2028', 'ñ', '', 'a'.repeat(2_954), 'a'.repeat(500_000)];
    for (let times = 0; times < 20; times++) {
      const code = `2@a${this.#random.pick(odd)}${this.#random.bytes(3).toString('latin1')}`;
      await this.#standIn.command({ do: 'showCode', name: WAITING, code });
      await sleep(this.#random.integer(0, 50));
    }
  }

  async wrongPhone(): Promise<void> {
    await until(
      async () => {
        const code = await this.#code();
        if (code !== undefined) await this.#standIn.command({ do: 'scan', phone: WRONG, code });
        return code;
      },
      'a code that can be scanned',
      LONG,
    );
    const isLinked = async () => (await this.#standIn.sessions()).some(({ phone }) => phone === WRONG);
    await until(async () => !(await isLinked()), 'the wrong phone to be unlinked', LONG);
    await this.levanta();
  }

  async badAnswers(): Promise<void> {
    const of = this.#random.pick(['GET /', 'POST /', 'DELETE /']);
    await this.#standIn.command({ do: 'faults', faults: [{ of, as: this.#random.pick(FAULTS) }] });
    await sleep(this.#random.integer(500, 3_500));
    await this.levanta();
    await this.#standIn.command({ do: 'faults', faults: [] });
  }

  /** Asks for a code, which may be refused. */
  async levanta(): Promise<void> {
    await call({ url: this.#url }, `/api/session/levanta/${WAITING}`);
  }

  /** Asserts that the sessions are as they are there. */
  async recovers(): Promise<void> {
    await until(
      async () => (await this.#item(LINKED)).state === STATES.connected,
      'it to be connected',
      LONG,
    );
    await until(() => this.#code(), 'a code', LONG);
    assert.equal(await itemOf({ url: this.#url }, WRONG), undefined);
  }

  /** Returns the code that is shown; asks for one if none is about to come. */
  async #code(): Promise<string | undefined> {
    const { qrCode, waiting } = await this.#item(WAITING);
    if (qrCode === undefined && !waiting) await this.levanta();
    return qrCode;
  }

  async #item(numero: string) {
    // Calls of one address have a limit.
    await sleep(100);
    return (await itemOf({ url: this.#url }, numero)) ?? assert.fail(`${numero} is not listed`);
  }
}

function start(scope: Scope, name: RemoteName, standIn: StandIn): Run {
  const args = ['--port', '0', '--engine', name, '--server', standIn.url, '--data', temporaryFolder(scope)];
  return run(scope, args, { env: { WO_SERVER_KEY: KEY } });
}

export const servers: Attack = {
  name: 'servers',
  promise: 'a broken or hostile server with sessions holds nothing up, and links no wrong phone',
  async round(scope, random) {
    const name = random.pick(REMOTE_ENGINES);
    const standIn = await StandIn.start(scope, name);
    await standIn.command({ do: 'create', name: LINKED, phone: LINKED });
    await standIn.command({ do: 'create', name: WAITING });
    const gateway = start(scope, name, standIn);
    const url = await address(gateway);
    const probe = new Probe(scope, gateway, url);
    const scene = new Scene(random, standIn, url);
    await until(() => probe.calls > 2, 'answers');
    const before = probe.memory;

    for (const [, harm] of scene.harms
      .map((one) => [random.next(), one] as const)
      .sort(([a], [b]) => a - b)) {
      await harm.call(scene);
    }
    await scene.recovers();
    await probe.end();
    const slowest = Math.round(probe.slowest);
    const grown = probe.memory - before;
    assert.ok(slowest < PATIENCE, `an answer took ${slowest} ms`);
    assert.ok(grown < GROWTH, `the memory grew by ${grown} bytes`);
    gateway.child.kill('SIGTERM');
    assert.equal(await gateway.ended, 0, gateway.output.stderr);
    assert.doesNotMatch(gateway.output.stderr, /"level":"(?:error|fatal)"/);
    return { calls: probe.calls };
  },
};
