import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../test/support/until.ts';
import { SimulatedPhones } from '../src/engines/simulated/phones.ts';
import { memoryLedger } from '../src/ledger/sqlite.ts';
import { Metrics } from '../src/metrics.ts';
import { ClusterOfOne } from '../src/sessions/cluster-of-one.ts';
import { Registry } from '../src/sessions/registry.ts';
import { call, Listener, message, NUMERO, startGateway } from './support/gateway.ts';
import { ManualClock } from './support/manual-clock.ts';
import { scrape } from './support/scrape.ts';

const OTHER = '34600000001';
const CODE = '34600000002';
const SESSIONS = [
  { numero: NUMERO, state: 'connected' },
  { numero: OTHER, state: 'connected' },
  { numero: CODE, state: 'qr' },
] as const;
const TOKEN = 'a-token-of-the-test';
const Authorization = `Bearer ${TOKEN}`;

describe('the metrics', () => {
  test('count what sessions, messages and panels do', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { sessions: SESSIONS, metrics: true, clock });
    const { phones } = gateway;
    await Listener.connect(t, gateway);
    const send = (to: number) =>
      call(gateway, '/api/message', { method: 'POST', body: message(NUMERO, [to]) });
    assert.equal((await send(34600000009)).status, 200);
    assert.equal((await send(1234567890123456)).status, 422);
    phones.phone(NUMERO).loseLine();
    const away = await scrape(gateway);
    phones.phone(NUMERO).recoverLine();
    phones.phone(OTHER).logOut();
    assert.equal((await call(gateway, '/api/session/levanta/34600000003')).status, 200);
    clock.advance(1_000);
    phones.setFault('34600000003', 'refuses');
    assert.equal((await call(gateway, '/api/session/levanta/34600000003')).status, 503);
    assert.equal((await call(gateway, `/api/session/${CODE}`, { method: 'DELETE' })).status, 204);

    assert.equal(away.get('sessions_away'), 1);
    assert.equal(away.get('sessions{state="connected"}'), 1);
    assert.equal(away.get('sessions{state="code"}'), 1);
    assert.equal(away.get('sessions{state="other"}'), 1);
    const series = await scrape(gateway);
    const expected = {
      sessions_away: 0,
      'sessions{state="connected"}': 1,
      'sessions{state="disconnected"}': 2,
      'sessions{state="code"}': 0,
      'sessions{state="closing"}': 0,
      'starts_total{outcome="done"}': 1,
      'starts_total{outcome="refused"}': 1,
      'starts_total{outcome="store-full"}': 0,
      'deletions_total{outcome="done"}': 1,
      'deliveries_total{outcome="sent"}': 1,
      'deliveries_total{outcome="no-whatsapp"}': 1,
      'deliveries_total{outcome="unconfirmed"}': 0,
      delivery_seconds_count: 2,
      'ends_total{reason="disconnected"}': 1,
      'ends_total{reason="restricted"}': 0,
      'delays_total{reason="unreachable"}': 0,
      reconnections_total: 1,
      'pushes_total{event="ready"}': 2,
      sockets: 1,
      ready: 1,
    };
    for (const [name, value] of Object.entries(expected)) assert.equal(series.get(name), value, name);
  });

  test('count a line that comes back, whatever else is reported with it', async () => {
    const metrics = new Metrics();
    metrics.observe(NUMERO, { type: 'state', state: 'OPENING' });
    metrics.observe(NUMERO, { type: 'name', name: 'Ventas' });
    metrics.observe(NUMERO, { type: 'ready' });
    assert.match(await metrics.registry.metrics(), /^whatsapp_gateway_reconnections_total 1$/m);
  });

  test('count no end of a session that an operator unlinks', async (t) => {
    const gateway = await startGateway(t, { sessions: SESSIONS, metrics: true });
    const unlinked = await call(gateway, `/api/session/${NUMERO}/unlink`, { method: 'POST' });
    assert.equal(unlinked.status, 202);
    await until(
      async () => (await scrape(gateway)).get('unlinkings_total{outcome="done"}') === 1,
      'the unlinking',
    );
    assert.equal((await scrape(gateway)).get('ends_total{reason="disconnected"}'), 0);
  });

  test('count a session without a line only until another gateway takes it over', async (t) => {
    const metrics = new Metrics();
    metrics.read({ sessions: { list: () => [], isReady: () => true }, sockets: () => 0, backlog: () => 0 });
    const ledger = await memoryLedger();
    const phones = new SimulatedPhones(new ManualClock(), async () => ledger, [
      { numero: NUMERO, state: 'connected' },
    ]);
    const registry: Registry = new Registry({
      engine: phones,
      ledger: () => ledger,
      cluster: new ClusterOfOne(
        () => {},
        () => registry,
      ),
      name: 'gateway',
      probe: 0,
      observeEngine: metrics.observe,
    });
    t.after(() => registry.close());
    await registry.restore();
    phones.phone(NUMERO).loseLine();
    assert.match(await metrics.registry.metrics(), /^whatsapp_gateway_sessions_away 1$/m);
    await registry.abandon(NUMERO);
    assert.match(await metrics.registry.metrics(), /^whatsapp_gateway_sessions_away 0$/m);
  });

  test('forget a panel that is gone', async (t) => {
    const gateway = await startGateway(t, { metrics: true });
    const { socket } = await Listener.connect(t, gateway);
    socket.disconnect();
    await until(async () => (await scrape(gateway)).get('sockets') === 0, 'no panel');
    assert.equal((await scrape(gateway)).get('socket_backlog_characters'), 0);
  });

  test('time the store by task, and nothing else of a session', async () => {
    const metrics = new Metrics();
    metrics.stored('write-keys', 3);
    const text = await metrics.registry.metrics();
    assert.match(text, /store_seconds_bucket\{le="0.0025",task="write-keys"\} 0\n/);
    assert.match(text, /store_seconds_bucket\{le="0.005",task="write-keys"\} 1\n/);
  });

  test('hold no numero and no free text', async (t) => {
    const gateway = await startGateway(t, { sessions: SESSIONS, metrics: true });
    gateway.phones.phone(NUMERO).report('HIBERNATING');
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    assert.doesNotMatch(text, new RegExp(`${NUMERO}|${OTHER}|${CODE}|HIBERNATING`));
    assert.match(text, /nodejs_eventloop_lag_p99_seconds/);
    assert.match(text, /process_resident_memory_bytes/);
  });

  test('take the token', async (t) => {
    const gateway = await startGateway(t, { token: TOKEN, metrics: true });
    assert.equal((await call(gateway, '/metrics')).status, 401);
    assert.equal((await scrape(gateway, { Authorization })).get('ready'), 1);
  });

  test('do not exist unless asked for', async (t) => {
    const gateway = await startGateway(t);
    assert.equal((await call(gateway, '/metrics')).status, 404);
  });
});
