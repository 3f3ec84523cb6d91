import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { AccessFile, bearer, tokenOf } from '../support/access.ts';
import { call, Listener, startGateway } from '../support/gateway.ts';
import { clusterOn } from './support/lease.ts';
import { startTables } from './support/tables.ts';

/** Not in the form in which a start would list it. */
const LISTED = '525550001111';
const FORMS = [LISTED, '5215550001111', '+52 555 000 1111'];
const TOKEN = 'un-token-de-prueba';
const ADMIN = { headers: bearer(TOKEN) };

test('a session belongs to the users of its group in every form of its numero', async (t) => {
  const { url: database } = await startTables(t);
  const access = new AccessFile([
    { name: 'Ana', may: ['see'], groups: ['Tienda'] },
    { name: 'Eva', may: ['see'], groups: [''] },
  ]).path;
  const gateway = await startGateway(t, {
    token: TOKEN,
    access,
    cluster: clusterOn(database),
    sessions: [{ numero: LISTED, state: 'connected' }],
  });
  const admin = await Listener.connect(t, gateway, '/', { auth: { token: TOKEN } });
  const put = () =>
    call(gateway, `/api/session/${LISTED}/details`, { method: 'PUT', body: { group: 'Tienda' }, ...ADMIN });
  await until(async () => (await put()).status === 200, 'the session');
  await admin.heard(`session:details:${LISTED}`);
  for (const form of FORMS) {
    const statusFor = async (name: string) => {
      const path = `/api/session/${encodeURIComponent(form)}/history`;
      return (await call(gateway, path, { headers: bearer(tokenOf(name)) })).status;
    };
    assert.deepEqual([await statusFor('Ana'), await statusFor('Eva')], [200, 403], form);
  }
});
