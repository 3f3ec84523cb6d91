import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { STATES, type WireHistoryEntry } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import type { Gateway } from '../../src/gateway.ts';
import { NO_ROOM } from '../../src/ledger/session-rows.ts';
import { call, itemOf, itemsOf, Listener, message, NUMERO, startGateway } from '../support/gateway.ts';
import { clusterOn } from './support/lease.ts';
import { freshDatabase } from './support/postgres.ts';

const post = (gateway: Gateway, what: string, numero = NUMERO) =>
  call(gateway, `/api/session/${numero}/${what}`, { method: 'POST' });
const rename = (gateway: Gateway, body: object, numero = NUMERO) =>
  call(gateway, `/api/session/${numero}/details`, { method: 'PUT', body });
const historyOf = async (gateway: Gateway) =>
  (await call(gateway, `/api/session/${NUMERO}/history`)).body as WireHistoryEntry[];

/** Asks a gateway for what the page behind a link may ask for. */
const ask = (gateway: Gateway, what: 'start' | 'pairing', token: string) =>
  call(gateway, `/l/api/${what}`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });

/** Opens what is behind a link, at a gateway; 409 says that there is nothing to do, 401 and 410 that it is none. */
const open = async (gateway: Gateway, token: string) => (await ask(gateway, 'start', token)).status;

async function createLink(gateway: Gateway): Promise<string> {
  const { status, body } = await post(gateway, 'link');
  assert.equal(status, 200);
  return String(Object(body).url).split('#')[1] ?? '';
}

/** Starts a gateway that owns the session of {@link NUMERO}, whose phone is linked, and another one. */
async function startTwo(t: TestContext, { speed = 20 } = {}) {
  const database = await freshDatabase();
  const start = () => startGateway(t, { sessions: 0, speed, cluster: clusterOn(database) });
  const first = await start();
  assert.equal((await call(first, `/api/session/levanta/${NUMERO}`)).status, 200);
  const code = await until(() => first.phones.get(NUMERO)?.code, 'a code');
  first.phones.phone(NUMERO).scan(code);
  await until(async () => (await itemOf(first, NUMERO))?.state === STATES.connected, 'the session');
  return { database, first, second: await start(), start };
}

describe('the extensions through another gateway', () => {
  test('names are set, listed and pushed everywhere; the history is read', async (t) => {
    const { first, second } = await startTwo(t);
    const panels = await Promise.all([first, second].map((gateway) => Listener.connect(t, gateway)));
    const { status, body } = await rename(second, { label: 'Ventas', group: 'Norte' });
    assert.equal(status, 200);
    assert.equal(Object(body).label, 'Ventas');
    for (const panel of panels) {
      assert.deepEqual(await panel.heard(`session:details:${NUMERO}`), [{ label: 'Ventas', group: 'Norte' }]);
    }
    for (const gateway of [first, second]) {
      const listed = await itemOf(gateway, NUMERO);
      assert.deepEqual([listed?.label, listed?.group], ['Ventas', 'Norte']);
    }
    assert.deepEqual(await itemsOf(first), await itemsOf(second));
    assert.equal((await rename(second, { label: 'x'.repeat(61) })).status, 400);
    const history = await historyOf(second);
    assert.deepEqual(history, await historyOf(first));
    assert.deepEqual(
      history.map(({ event }) => event),
      ['ready', 'authenticated', 'qr', 'started'],
    );
    assert.equal((await call(second, '/api/session/99/history')).status, 404);
    assert.equal((await rename(second, { label: 'Ventas' }, '99')).status, 404);
  });

  test('what comes and goes, acks and reasons are pushed', async (t) => {
    const { first, second } = await startTwo(t);
    const panel = await Listener.connect(t, second);
    const body = message(NUMERO, [34600000001]);
    const { id } = Object((await call(second, '/api/message', { method: 'POST', body })).body);
    first.phones.phone('34600000001').read();
    await panel.heard('message:ack', 2);
    assert.deepEqual(
      panel.all.flatMap(([name, ack]) => (name === 'message:ack' ? [Object(ack)] : [])),
      ['server', 'device', 'read'].map((status) => ({
        id,
        remitente: NUMERO,
        contacto: 34600000001,
        status,
      })),
    );
    assert.equal((await post(second, 'unlink')).status, 202);
    await panel.heard(`session:disconnected:${NUMERO}`);
    assert.equal((await itemOf(second, NUMERO))?.reason?.code, 'unlinked');
    assert.equal((await post(second, 'unlink')).status, 409);
    assert.equal((await call(second, `/api/session/${NUMERO}`, { method: 'DELETE' })).status, 204);
    assert.deepEqual(await panel.heard('session:deleted'), [{ numero: NUMERO }]);
    assert.equal((await call(first, `/api/session/levanta/${NUMERO}`)).status, 200);
    const [created] = await panel.heard('session:created');
    assert.equal(Object(created).numero, NUMERO);
  });

  test('a session that nobody has room for any more has no code, and no end of one', async (t) => {
    const cluster = clusterOn(await freshDatabase(), { maxSessions: 1 });
    const start = () => startGateway(t, { sessions: 0, cluster });
    const [first, second] = [await start(), await start()];
    const other = '5215550002222';
    assert.equal((await call(first, `/api/session/levanta/${NUMERO}`)).status, 200);
    assert.equal((await call(second, `/api/session/levanta/${other}`)).status, 200);
    await until(async () => (await itemOf(first, other))?.codeExpires, 'a code');
    await second.close();
    await until(async () => (await itemOf(first, other))?.state === NO_ROOM, 'the end of the other gateway');
    assert.deepEqual(await itemOf(first, other), { numero: other, state: NO_ROOM, waiting: false });
  });

  test('the page behind a link works at a gateway that does not own its session', async (t) => {
    // So slow that no code ends meanwhile.
    const { first, second } = await startTwo(t, { speed: 2 });
    assert.equal((await post(second, 'unlink')).status, 202);
    const [before, token] = [await createLink(first), await createLink(second)];
    assert.ok([401, 410].includes(await open(second, before)));
    const page = await Listener.connect(t, second, '/link', { auth: { token } });
    const view = () => Object(page.all.findLast(([name]) => name === 'session')?.[1]);
    assert.ok((await open(second, token)) < 300);
    await until(() => view().qrCode, 'the code to scan');
    // It shows a code: a start would interrupt it.
    assert.equal(await open(second, token), 409);

    const { status, body } = await ask(second, 'pairing', token);
    assert.equal(status, 200);
    const { code } = Object(body);
    await until(() => view().pairing?.code === code, 'the code to type');

    first.phones.phone(NUMERO).usePasskey();
    await until(() => view().passkey?.step === 'sign', 'a passkey to be required');
    assert.deepEqual((await itemOf(second, NUMERO))?.passkey, view().passkey);
    const passkey = (method: string, sent?: object) =>
      call(second, '/l/api/passkey', {
        method,
        headers: { Authorization: `Bearer ${token}` },
        ...(sent && { body: sent }),
      });
    assert.equal(Object((await passkey('GET')).body).rpId, 'whatsapp.com');
    const response = { clientDataJSON: 'aa', authenticatorData: 'bb', signature: 'cc' };
    const assertion = { id: 'dd', rawId: 'dd', type: 'public-key', response };
    assert.equal((await passkey('POST', { assertion })).status, 202);
    assert.equal((await passkey('POST', { assertion })).status, 409);
    assert.deepEqual(await page.heard('over'), [{ reason: 'linked' }]);
    await until(async () => (await itemOf(second, NUMERO))?.state === STATES.connected, 'the session');
    assert.equal((await ask(second, 'pairing', token)).status, 410);
  });

  test('names, history and link stay with a session that another gateway takes over', async (t) => {
    const { first, second } = await startTwo(t);
    await rename(first, { label: 'Ventas', group: 'Norte' });
    assert.equal((await post(first, 'unlink')).status, 202);
    const token = await createLink(first);
    const before = await historyOf(first);
    const { link, name } = (await itemOf(first, NUMERO)) ?? assert.fail('it is not listed');
    await first.close();
    await until(async () => (await rename(second, { group: 'Sur' })).status === 200, 'the takeover');
    const listed = await itemOf(second, NUMERO);
    assert.deepEqual([listed?.label, listed?.group, listed?.name], ['Ventas', 'Sur', name]);
    assert.deepEqual(listed?.link, link);
    assert.deepEqual((await historyOf(second)).slice(-before.length), before);
    assert.notEqual(await open(second, token), 401);
  });
});
