import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { stablePort } from '../../test/support/stable-port.ts';
import { until } from '../../test/support/until.ts';
import { createGateway } from '../src/gateway.ts';
import { call, Listener, NUMERO, startGateway } from './support/gateway.ts';
import { ManualClock } from './support/manual-clock.ts';

describe('a gateway', () => {
  test('leaves no timer when it closes, ends what is open, and frees its port', async (t) => {
    const clock = new ManualClock();
    const port = await stablePort();
    const gateway = await startGateway(t, { port, clock, sessions: [{ numero: NUMERO, state: 'qr' }] });
    await Listener.connect(t, gateway, '/', { reconnection: false });
    await call(gateway, '/api/session/levanta/34600000001');
    assert.equal(clock.pending, 2);
    const idle = connect(port, '127.0.0.1');
    const ended = new Promise((resolve) => idle.on('error', () => {}).on('close', resolve));
    idle.resume();
    await once(idle, 'connect');

    const before = performance.now();
    await gateway.close();
    await ended;
    // By default, an idle connection would last a minute, and a socket until its next ping.
    assert.ok(performance.now() - before < 20_000);
    assert.equal(clock.pending, 0);
    await startGateway(t, { port });
  });

  for (const end of ['close', 'drain'] as const) {
    test(`does not listen after a ${end} while it was starting`, async (t) => {
      const gateway = createGateway({ port: 0 });
      t.after(() => gateway.app.server.close());
      const started = gateway.listen();
      await gateway[end]();
      await started;
      assert.equal(gateway.app.server.listening, false);
    });
  }

  test('does not tell clients to stay away when it closes: they connect to the next one', async (t) => {
    const port = await stablePort();
    const gateway = await startGateway(t, { port });
    const listener = await Listener.connect(t, gateway, '/', { reconnectionDelay: 10 });
    const disconnected = new Promise((resolve) => listener.socket.once('disconnect', resolve));
    await gateway.close();
    assert.notEqual(await disconnected, 'io server disconnect');
    assert.equal(listener.socket.active, true);

    await startGateway(t, { port });
    await until(() => listener.socket.connected, 'the connection');
  });

  test('can be closed twice, and before it ever listened', async () => {
    const gateway = createGateway({ port: 0 });
    assert.throws(() => gateway.url, { message: 'The gateway is not listening yet' });
    await Promise.all([gateway.close(), gateway.close()]);
  });

  test('rejects if its port is in use, and leaves nothing behind', async (t) => {
    const port = Number(new URL((await startGateway(t)).url).port);
    const clock = new ManualClock();
    await assert.rejects(createGateway({ port, clock }).listen(), { code: 'EADDRINUSE' });
    assert.equal(clock.pending, 0);
  });

  test('keeps no timer for a deleted session', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { clock });
    await call(gateway, `/api/session/levanta/${NUMERO}`);
    assert.equal(clock.pending, 1);
    await call(gateway, `/api/session/${NUMERO}`, { method: 'DELETE' });
    assert.equal(clock.pending, 0);
  });
});
