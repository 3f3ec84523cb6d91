import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { address, run } from '../../gateway/test/support/command.ts';
import { CHANGE_STATE } from '../../src/wire.ts';
import type { Scope } from '../support/scope.ts';
import { type Habits, SlowConsumer, STAGES } from '../support/slow-consumer.ts';
import { until } from '../support/until.ts';
import type { Attack } from './attack.ts';
import { PUSHES, readGauge, residentMemory } from './inside/read-gauge.ts';
import type { Random } from './random.ts';

/** Milliseconds within which a slow consumer has to be closed. */
const PATIENCE = 30_000;
const SLOW = 24;
const HEALTHY = 3;
/**
 * By how much the gateway's memory may grow, in bytes. For up to five seconds it keeps 15 MB of shared texts and 1.4 MB
 * of packets per panel, and the garbage collector leaves as much again.
 */
const GROWTH = 200_000_000;

/** A panel that reads, and must not miss a push. */
class Witness {
  readonly #socket: Socket;
  #last = -1;
  heard = 0;
  readonly faults: string[] = [];

  constructor(scope: Scope, url: string) {
    this.#socket = io(url, { forceNew: true, transports: ['polling', 'websocket'] });
    scope.after(() => this.#socket.disconnect());
    this.#socket.on('disconnect', (reason) => this.faults.push(reason));
    this.#socket.on(CHANGE_STATE, ({ state }: { state: string }) => this.#hear(Number.parseInt(state, 10)));
  }

  /** Whether it has received a push, and its connection is final: polling connections come and go. */
  get isSettled(): boolean {
    return this.heard > 0 && this.#socket.io.engine.transport.name === 'websocket';
  }

  #hear(index: number): void {
    if (this.heard > 0 && index !== this.#last + 1) this.faults.push(`${index} after ${this.#last}`);
    this.#last = index;
    this.heard += 1;
  }
}

function habits(random: Random): Habits {
  return {
    stage: random.pick(STAGES),
    ...(random.chance(0.8) && { pongEvery: random.integer(200, 1_000) }),
    ...(random.chance(0.2) && { readEvery: random.integer(500, 3_000) }),
    ...(random.chance(0.6) && { backAfter: random.integer(10, 1_000) }),
  };
}

export const slowConsumers: Attack = {
  name: 'slow-consumers',
  promise: 'panels that stop reading are closed, and cost neither memory nor the others a push',
  async round(scope, random) {
    const gateway = run(scope, ['--port', '0'], { imports: PUSHES });
    const url = await address(gateway);
    const witnesses = Array.from({ length: HEALTHY }, () => new Witness(scope, url));
    await until(() => witnesses.every(({ isSettled }) => isSettled), 'pushes');
    const { sockets } = await readGauge(gateway);
    const before = await residentMemory(gateway);

    const panels = Array.from({ length: SLOW }, () => {
      const chosen = habits(random);
      return { chosen, panel: new SlowConsumer(url, chosen) };
    });
    const stop = () => {
      for (const { panel } of panels) panel.stop();
    };
    scope.after(stop);
    const doomed = panels.filter(({ chosen }) => chosen.pongEvery && !chosen.readEvery);
    let growth = 0;
    for (const deadline = performance.now() + PATIENCE; ; await sleep(250)) {
      growth = Math.max(growth, (await residentMemory(gateway)) - before);
      const open = doomed.filter(({ panel }) => panel.closed === 0);
      if (open.length === 0) break;
      const named = open.map(({ chosen }) => JSON.stringify(chosen));
      assert.ok(performance.now() < deadline, `still open: ${named.join(' ')}; ${growth} bytes more`);
    }
    assert.ok(growth < GROWTH, `the memory grew by ${growth} bytes`);

    const closed = panels.reduce((sum, { panel }) => sum + panel.closed, 0);
    stop();
    const gone = async () => (await readGauge(gateway)).sockets <= sockets;
    await until(gone, 'their connections to be gone');
    for (const { faults } of witnesses) assert.deepEqual(faults, []);
    gateway.child.kill('SIGTERM');
    assert.equal(await gateway.ended, 0, gateway.output.stderr);
    const heard = witnesses.reduce((sum, witness) => sum + witness.heard, 0);
    return { closed, heard };
  },
};
