import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import type { Gateway } from '../../src/gateway.ts';
import type { NotifyOptions } from '../../src/notify/notifier.ts';
import { startReceiver } from '../notify/support/receiver.ts';
import { call, itemOf, itemsOf, Listener, NUMERO, startGateway } from '../support/gateway.ts';
import { clusterOn } from './support/lease.ts';
import { freshDatabase } from './support/postgres.ts';
import { connectTables } from './support/tables.ts';

const OTHER = '5215550002222';
const SUPERVISOR = '34600000001';

/** Returns what starts gateways on one new database. */
async function layOut(t: TestContext) {
  const database = await freshDatabase();
  const cluster = clusterOn(database);
  const start = (notify: NotifyOptions) => startGateway(t, { sessions: 0, speed: 20, cluster, notify });
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
  gateway.phones.phone(numero).scan(await until(() => gateway.phones.get(numero)?.code, 'a code'));
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
      first.phones.phone(NUMERO).logOut();
      second.phones.phone(OTHER).logOut();
      for (const gateway of gateways) await areAll(gateway, STATES.disconnected);
    });
    await until(() => receiver.told.length > 0, 'a notification');
    assert.deepEqual(receiver.told.sort(), [`unlinked ${NUMERO}`, `unlinked ${OTHER}`]);
    assert.equal(receiver.deliveries.length, 1);
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
    first.phones.phone(NUMERO).logOut();
    await until(() => sent().length > 0, 'a message');
    await link(first);
    await until(() => sent().length > 1, 'the message that it is back');
    assert.equal(sent().length, 2);
    assert.equal(sent()[0], OTHER);
  });
});
