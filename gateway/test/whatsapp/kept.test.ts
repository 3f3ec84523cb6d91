import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES, type WireHistoryEntry } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { call, itemOf } from '../support/gateway.ts';
import { failSql } from './support/failing-sql.ts';
import { type Lab, NUMERO, startLab } from './support/lab.ts';
import { filesWith } from './support/raw-files.ts';

const rename = ({ gateway }: Lab, body: object) =>
  call(gateway, `/api/session/${NUMERO}/details`, { method: 'PUT', body });
const linkOf = ({ gateway }: Lab, method = 'POST') =>
  call(gateway, `/api/session/${NUMERO}/link`, { method });
const itemIn = async ({ gateway }: Lab) => (await itemOf(gateway, NUMERO)) ?? assert.fail('it is not listed');
const historyIn = async ({ gateway }: Lab) =>
  (await call(gateway, `/api/session/${NUMERO}/history`)).body as WireHistoryEntry[];
const tokenIn = (body: unknown) => String(Object(body).url).split('#')[1] ?? assert.fail('no token');
/** The status of what the page behind a link asks for: 409 says that it has nothing to do. */
const open = async ({ gateway }: Lab, token: string) => {
  const headers = { Authorization: `Bearer ${token}` };
  return (await call(gateway, '/l/api/start', { method: 'POST', headers })).status;
};

describe('what is kept of a session beside its keys', () => {
  test('is there after a restart, with yesterday first in its history', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await rename(lab, { label: 'Ventas', group: 'Norte' });
    const before = await historyIn(lab);
    const events = before.map(({ event }) => event);
    assert.deepEqual([events[0], events.at(-1)], ['ready', 'started']);
    assert.ok(events.includes('qr'));
    await lab.restart();
    await lab.state(STATES.connected);
    const { label, group, since = 0 } = await itemIn(lab);
    assert.deepEqual([label, group], ['Ventas', 'Norte']);
    assert.ok(since <= Date.now());
    const history = await historyIn(lab);
    assert.deepEqual(history.slice(-before.length), before);
    assert.ok(history.some(({ event }) => event === 'restored'));
  });

  test('goes with the session, without a trace', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await rename(lab, { label: 'a-label-of-the-test', group: 'a-group-of-the-test' });
    await historyIn(lab);
    assert.notDeepEqual(filesWith(lab.folder, NUMERO), []);
    assert.equal((await lab.delete()).status, 204);
    for (const text of ['-of-the-test', '"event"', NUMERO]) {
      assert.deepEqual(filesWith(lab.folder, text), [], text);
    }
  });

  test('on a full disk is refused with a sentence, and nothing is lost', async (t) => {
    const lab = await startLab(t);
    await lab.levanta();
    const code = await lab.code();
    await rename(lab, { label: 'Ventas' });
    const before = await historyIn(lab);
    const link = tokenIn((await linkOf(lab)).body);
    const heal = failSql(t, /(?:INSERT INTO|DELETE FROM) archive /);
    const full =
      'El servidor no tiene espacio para guardar (SQLITE_FULL): libera espacio e inténtalo de nuevo.';
    for (const refused of [
      await rename(lab, { label: 'Soporte' }),
      await linkOf(lab),
      await linkOf(lab, 'DELETE'),
    ]) {
      assert.equal(refused.status, 507);
      assert.equal(Object(refused.body).message, full);
    }
    assert.equal((await itemIn(lab)).label, 'Ventas');
    assert.equal(await open(lab, link), 409);
    // What happens meanwhile: the session itself is none the worse.
    await lab.whatsapp.phone(NUMERO).scan(code);
    await lab.state(STATES.connected);
    assert.equal((await lab.send(['34600000002'])).status, 200);
    await lab.whatsapp.phone(NUMERO).unlink();
    await lab.state(STATES.disconnected);
    assert.deepEqual((await historyIn(lab)).slice(-before.length), before);
    heal();
    await until(async () => (await historyIn(lab))[0]?.code === 'device-removed', 'the end in the history');
    assert.equal((await rename(lab, { label: 'Soporte' })).status, 200);
    await lab.restart();
    assert.equal((await itemIn(lab)).label, 'Soporte');
  });

  test('of a session that could not be written itself is not listed', async (t) => {
    const lab = await startLab(t);
    failSql(t, /INSERT INTO session/);
    assert.equal((await lab.levanta()).status, 507);
    assert.deepEqual(await lab.list(), []);
    assert.equal((await rename(lab, { label: 'Ventas' })).status, 404);
  });
});
