import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { call, NUMERO } from '../support/gateway.ts';
import { layOut, link, SUPERVISOR } from './support/lab.ts';
import { startReceiver } from './support/receiver.ts';

const OTHER = '5215550002222';

test('the webhook and the supervisor get the same link, which is valid', async (t) => {
  const { whatsapp, start } = await layOut(t);
  const receiver = await startReceiver(t);
  const gateway = await start({ ...receiver.notify, whatsapp: SUPERVISOR, link: 60 * 60_000 });
  for (const numero of [NUMERO, OTHER]) await link(gateway, whatsapp, numero);
  whatsapp.phone(NUMERO).unlink();
  const { sessions } = await until(() => receiver.deliveries[0], 'the notification');
  const { text = '' } = await until(() => whatsapp.phone(SUPERVISOR).messages[0], 'the message');
  const url = sessions[0]?.link?.url ?? assert.fail('there is no link');
  assert.ok(text.includes(url), text);
  const headers = { Authorization: `Bearer ${url.split('#')[1]}` };
  assert.equal((await call(gateway, '/l/api/start', { method: 'POST', headers })).status, 204);
});
