import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import type { Gateway } from '../../src/gateway.ts';
import type { GatewayOptions } from '../../src/gateway-options.ts';
import type { NotifyOptions } from '../../src/notify/notifier.ts';
import { startReceiver } from '../notify/support/receiver.ts';
import { call, itemOf, itemsOf, Listener, NUMERO, startGateway } from '../support/gateway.ts';
import { clusterOn } from './support/lease.ts';
import { freshDatabase } from './support/postgres.ts';
import { connectTables } from './support/tables.ts';

const OTHER = '5215550002222';
const SUPERVISOR = '34600000001';
const HOUR = 60 * 60_000;

/** Returns what starts gateways on one new database. */
async function layOut(t: TestContext) {
  const database = await freshDatabase();
  const cluster = clusterOn(database);
  const start = (notify?: NotifyOptions, options: GatewayOptions = {}) =>
    startGateway(t, { sessions: 0, speed: 20, cluster, notify, ...options });
  /** Has so many gateways, which tell people, tell nothing while `during` runs, and what it brings at once afterwards. */
  const holding = async (tellers: number, during: () => Promise<unknown>) => {
    const { sql, begin } = await connectTables(t, database);
    await begin(async (tx) => {
      await tx`LOCK TABLE told`;
      // Who waits has looked at the sessions already, and looks again.
      const waiting = () => sql`
        SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      await until(async () => (await waiting()).length === tellers, 'the gateways to wait');
      await during();
    });
  };
  return { start, holding };
}

/** Links the phone of a numero at a gateway, which then owns its session. */
async function link(gateway: Gateway, numero = NUMERO): Promise<void> {
  assert.equal((await call(gateway, `/api/session/levanta/${numero}`)).status, 200);
  gateway.phones.scan(numero, await until(() => gateway.phones.get(numero)?.code, 'a code'));
  await isConnected(gateway, numero);
}

/** Waits until a gateway lists every session in a state. */
async function areAll(gateway: Gateway, state: string): Promise<void> {
  await until(
    async () => (await itemsOf(gateway)).every((item) => item.state === state),
    `all to be ${state}`,
  );
}

async function isConnected(gateway: Gateway, numero: string): Promise<void> {
  const { connected } = STATES;
  await until(async () => (await itemOf(gateway, numero))?.state === connected, `${numero} to be connected`);
}

describe('gateways with one webhook', () => {
  test('tell of a number once in all, and once that it is back', async (t) => {
    const { start } = await layOut(t);
    const receiver = await startReceiver(t);
    const gateways = [
      await start(receiver.notify),
      await start(receiver.notify),
      await start(receiver.notify),
    ];
    const [owner] = gateways;
    assert.ok(owner);
    await link(owner);
    for (const gateway of gateways) await isConnected(gateway, NUMERO);
    owner.phones.logOut(NUMERO);
    await until(() => receiver.told.length > 0, 'a notification');
    await link(owner);
    await until(() => receiver.told.includes(`back ${NUMERO}`), 'the end of it');
    assert.deepEqual(receiver.told, [`unlinked ${NUMERO}`, `back ${NUMERO}`]);
    assert.equal(receiver.deliveries.length, 2);
  });

  test('tell of numbers of all of them in one notification', async (t) => {
    const { start, holding } = await layOut(t);
    const receiver = await startReceiver(t);
    const gateways = [await start(receiver.notify), await start(receiver.notify)];
    const [first, second] = gateways;
    assert.ok(first && second);
    await link(first);
    await link(second, OTHER);
    for (const gateway of gateways) await areAll(gateway, STATES.connected);
    await holding(gateways.length, async () => {
      first.phones.logOut(NUMERO);
      second.phones.logOut(OTHER);
      for (const gateway of gateways) await areAll(gateway, STATES.disconnected);
    });
    await until(() => receiver.told.length > 0, 'a notification');
    assert.deepEqual(receiver.told.sort(), [`unlinked ${NUMERO}`, `unlinked ${OTHER}`]);
    assert.equal(receiver.deliveries.length, 1);
  });
});

describe('a link in a notification', () => {
  const ask = (gateway: Gateway, what: 'start' | 'pairing', token: string) =>
    call(gateway, `/l/api/${what}`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });

  test('is that of a session of another gateway, and opens at each', async (t) => {
    const { start } = await layOut(t);
    const receiver = await startReceiver(t);
    // Only one of them tells, and it owns no session.
    const [owner, teller] = [
      // So slow that the codes do not end meanwhile.
      await start(undefined, { speed: 2 }),
      await start({ ...receiver.notify, link: 24 * HOUR }, { publicUrl: 'https://whatsapp.example/' }),
    ];
    await link(owner);
    await isConnected(teller, NUMERO);
    owner.phones.logOut(NUMERO);
    const { sessions } = await until(() => receiver.deliveries[0], 'a notification');
    const { url = '', expires = '' } = sessions[0]?.link ?? {};
    const [page, token = ''] = url.split('#');
    assert.equal(page, 'https://whatsapp.example/l/');
    assert.ok(Math.abs(Date.parse(expires) - Date.now() - 24 * HOUR) < HOUR / 60);

    assert.ok((await ask(teller, 'start', token)).status < 300);
    await until(async () => (await itemOf(teller, NUMERO))?.qrCode, 'a code');
    const { status, body } = await ask(owner, 'pairing', token);
    assert.equal(status, 200);
    owner.phones.typeCode(NUMERO, Object(body).code);
    await until(() => receiver.told.includes(`back ${NUMERO}`), 'the end of it');
    assert.equal((await ask(teller, 'start', token)).status, 410);
  });

  test('does not end the one that an operator has sent through another gateway', async (t) => {
    const { start, holding } = await layOut(t);
    const receiver = await startReceiver(t);
    const [owner, teller] = [await start(), await start({ ...receiver.notify, link: HOUR })];
    await link(owner);
    await isConnected(teller, NUMERO);
    let body: unknown;
    await holding(1, async () => {
      owner.phones.logOut(NUMERO);
      const answer = await call(teller, `/api/session/${NUMERO}/link`, { method: 'POST' });
      assert.equal(answer.status, 200);
      body = answer.body;
    });
    const { sessions } = await until(() => receiver.deliveries[0], 'a notification');
    assert.deepEqual(
      sessions.map(({ event, link }) => [event, link]),
      [['unlinked', undefined]],
    );
    const token = String(Object(body).url).split('#')[1] ?? '';
    assert.ok((await ask(owner, 'start', token)).status < 300);
  });

  test('can be created by no call from outside', async (t) => {
    const { start } = await layOut(t);
    const gateways = [await start(), await start(undefined, { metrics: { port: 0 } })];
    const [owner] = gateways;
    assert.ok(owner);
    await link(owner);
    const path = `/notify/link/${NUMERO}`;
    const bases = gateways.flatMap(({ url, metricsUrl }) => [
      url,
      ...(metricsUrl ? [new URL(metricsUrl).origin] : []),
    ]);
    assert.equal(bases.length, 3);
    for (const url of bases) {
      for (const prefix of ['', '/api', '/l/api', '/cluster', '/simulator']) {
        const { status } = await fetch(`${url}${prefix}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ lifetime: HOUR }),
        });
        assert.ok([400, 401, 404, 405].includes(status), `${url}${prefix}: ${status}`);
      }
    }
    assert.equal((await itemOf(owner, NUMERO))?.link, undefined);
  });
});

describe('gateways with one supervisor', () => {
  const timings = { poll: 50, groupWait: 0, interval: 0 };

  test('send one message in all, from a session that is connected', async (t) => {
    const { start } = await layOut(t);
    const notify = { whatsapp: SUPERVISOR, timings };
    const [first, second] = [await start(notify), await start(notify)];
    // One each: nothing moves to make that so.
    await link(first);
    await link(second, OTHER);
    const panel = await Listener.connect(t, second);
    const sent = () =>
      panel.all.flatMap(([name, payload]) => {
        const { contacto, status, remitente } = Object(payload);
        return name === 'message:ack' && status === 'server' && String(contacto) === SUPERVISOR
          ? [String(remitente)]
          : [];
      });
    first.phones.logOut(NUMERO);
    await until(() => sent().length > 0, 'a message');
    await link(first);
    await until(() => sent().length > 1, 'the message that it is back');
    assert.equal(sent().length, 2);
    assert.equal(sent()[0], OTHER);
  });
});
