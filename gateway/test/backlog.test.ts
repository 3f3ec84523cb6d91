import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { mockTimers } from '../../test/support/mock-timers.ts';
import type { Scope } from '../../test/support/scope.ts';
import { type Habits, SlowConsumer, STAGES } from '../../test/support/slow-consumer.ts';
import { until } from '../../test/support/until.ts';
import type { Gateway } from '../src/gateway.ts';
import { startLink } from './cluster/support/link.ts';
import { Listener, NUMERO, startGateway } from './support/gateway.ts';

const SEEDS = [{ numero: NUMERO, state: 'connected' }] as const;
const LONG = 'x'.repeat(500_000);

/** Makes the phone report this many states of half a megabyte. */
function tell({ phones }: Gateway, states: number): void {
  for (let index = 0; index < states; index += 1) phones.phone(NUMERO).report(`${index} ${LONG}`);
}

/** Pushes more and more, until nobody is connected. */
async function tellUntilClosed(gateway: Gateway): Promise<void> {
  assert.equal(gateway.io.engine.clientsCount, 1);
  await until(async () => {
    tell(gateway, 1);
    await sleep(50);
    return gateway.io.engine.clientsCount === 0;
  }, 'it to be closed');
}

async function connectSlow(scope: Scope, { url }: Gateway, habits: Habits): Promise<void> {
  const panel = new SlowConsumer(url, habits);
  scope.after(() => panel.stop());
  await until(() => panel.hasStopped, 'a panel that does not read');
}

// First: an interval created before the mock and cleared under it would keep the process alive.
describe('a panel that reads', () => {
  /** From one check of its connection to the next, in milliseconds. */
  const LOOK = 2_500;

  test('stays connected, even if a large burst takes it a while to read', async (t) => {
    mockTimers(t.mock, { apis: ['setInterval'] });
    // When this process stalls, so do its intervals.
    const beat = () => {
      t.mock.timers.tick(1);
      timer = setTimeout(beat, 1);
    };
    let timer = setTimeout(beat, 1);
    t.after(() => clearTimeout(timer));

    const gateway = await startGateway(t, { sessions: SEEDS });
    const link = await startLink(t, Number(new URL(gateway.url).port));
    const listener = await Listener.connect(t, { url: link.url(gateway.url) }, '/', { reconnection: false });
    for (let burst = 1; burst <= 2; burst += 1) {
      link.freeze();
      tell(gateway, 20);
      t.mock.timers.tick(LOOK);
      link.thaw();
      await until(() => listener.pushes.length === 20 * burst, 'all of it');
      t.mock.timers.tick(LOOK);
    }
    assert.equal(listener.socket.connected, true);
  });
});

describe('a panel that stops reading', { concurrency: true }, () => {
  for (const stage of STAGES) {
    test(`at the stage '${stage}' is closed although it answers pings, and its data is dropped`, async (t) => {
      const gateway = await startGateway(t, { sessions: SEEDS });
      await connectSlow(t, gateway, { stage, pongEvery: 1_000 });
      await tellUntilClosed(gateway);
      const root = gateway.io.of('/');
      assert.equal(root.sockets.size, 0);
      assert.deepEqual([...root.adapter.rooms.keys()], []);
      const connections = promisify(gateway.app.server.getConnections).bind(gateway.app.server);
      await until(async () => (await connections()) === 0, 'its connections to be gone');
    });
  }

  test("does not delay the gateway's shutdown", async (t) => {
    const gateway = await startGateway(t, { sessions: SEEDS });
    await connectSlow(t, gateway, { stage: 'websocket' });
    tell(gateway, 20);
    const before = performance.now();
    await gateway.close();
    // By default the library waits half a minute for the closing handshake.
    assert.ok(performance.now() - before < 20_000);
  });
});
