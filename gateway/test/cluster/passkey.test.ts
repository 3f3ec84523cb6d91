import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import type { Gateway } from '../../src/gateway.ts';
import { call, itemOf, Listener, NUMERO, startGateway } from '../support/gateway.ts';
import { signed } from '../support/passkey.ts';
import { startFakeWhatsapp } from '../whatsapp/fake/whatsapp.ts';
import { TIMINGS } from '../whatsapp/support/engine-lab.ts';
import { clusterOn } from './support/lease.ts';
import { freshDatabase } from './support/postgres.ts';

/** Two gateways with a page behind a link at the second, which does not own the session, and a phone that needs a passkey. */
async function open(t: TestContext) {
  const fake = await startFakeWhatsapp({ preKeys: 100 });
  t.after(() => fake.close());
  const database = await freshDatabase();
  const timings = { ...TIMINGS, passkeyProven: 0 };
  const whatsapp = { folder: temporaryFolder(), url: fake.url, timings, passkey: true };
  const start = () => startGateway(t, { whatsapp, cluster: clusterOn(database) });
  const first = await start();
  assert.equal((await call(first, `/api/session/levanta/${NUMERO}`)).status, 200);
  const second = await start();
  const { body } = await call(second, `/api/session/${NUMERO}/link`, { method: 'POST' });
  const token = String(Object(body).url).split('#')[1] ?? '';
  const page = await Listener.connect(t, second, '/link', { auth: { token } });
  const view = () => Object(page.all.findLast(([name]) => name === 'session')?.[1]);
  const phone = fake.phone(NUMERO);
  phone.asksForPasskey = true;
  const scan = async (gateway: Gateway) => {
    const code = await until(async () => (await itemOf(gateway, NUMERO))?.qrCode, 'a code');
    await phone.scan(code);
    await until(() => view().passkey?.step === 'sign', 'the page to ask for a signature');
  };
  await scan(second);
  return { first, second, phone, page, view, scan, ask: askAs(second, token) };
}

/** Returns what the page behind a link asks its gateway for. */
function askAs(gateway: Gateway, token: string) {
  return (method: 'GET' | 'POST', body?: object) =>
    call(gateway, '/l/api/passkey', {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(body && { body }),
    });
}

test('a passkey signs, and codes are compared, on the page behind a link at another gateway', async (t) => {
  const { second, phone, page, view, ask } = await open(t);
  const { body } = await ask('GET');
  const assertion = signed(Object(body));
  assert.equal((await ask('POST', { assertion })).status, 202);
  await until(() => view().passkey?.step === 'confirm', 'a code to compare');
  assert.ok(view().passkey.text.endsWith(` ${phone.passkey?.code}`), view().passkey.text);
  assert.equal((await ask('POST', { assertion })).status, 409);
  assert.equal((await ask('POST')).status, 202);
  assert.deepEqual(await page.heard('over'), [{ reason: 'linked' }]);
  await until(async () => (await itemOf(second, NUMERO))?.state === STATES.connected, 'the session');
  assert.equal(phone.links, 1);
});

test('a takeover in the middle of a passkey begins linking anew', async (t) => {
  const { first, second, phone, view, scan, ask } = await open(t);
  await first.close();
  await until(async () => {
    const { state, passkey } = (await itemOf(second, NUMERO)) ?? {};
    return state === STATES.disconnected && !passkey;
  }, 'the step to be over');
  assert.equal((await ask('GET')).status, 409);
  const levanta = async () => (await call(second, `/api/session/levanta/${NUMERO}`)).status === 200;
  await until(levanta, 'the takeover');
  await scan(second);
  const { body } = await ask('GET');
  assert.equal((await ask('POST', { assertion: signed(Object(body)) })).status, 202);
  await until(() => view().passkey?.step === 'confirm', 'a code to compare');
  assert.equal((await ask('POST')).status, 202);
  await until(async () => (await itemOf(second, NUMERO))?.state === STATES.connected, 'the session');
  assert.equal(phone.links, 1);
});
