import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import { address, complaints, run } from '../support/command.ts';
import { call } from '../support/gateway.ts';

test('the command with --engine whatsapp logs once that WhatsApp cannot be reached, keeps trying and ends cleanly', async (t) => {
  const data = join(temporaryFolder(), 'data');
  // Nobody listens there.
  const nowhere = 'ws://127.0.0.1:9/';
  const args = ['--port', '0', '--engine', 'whatsapp', '--data', data, '--whatsapp-url', nowhere];
  const gateway = run(t, args);
  const url = await address(gateway);
  for (const numero of ['5215550001111', '34600000001']) {
    assert.equal((await call({ url }, `/api/session/levanta/${numero}`)).status, 200);
  }
  const list = async () => JSON.stringify((await call({ url }, '/api/session/sessions')).body);
  await until(
    async () => (await list()).split('SIN CONEXIÓN CON WHATSAPP').length === 3,
    'the state of both',
  );

  gateway.child.kill('SIGTERM');
  assert.equal(await gateway.ended, 0);
  assert.deepEqual(complaints(gateway), ['WhatsApp cannot be reached; the gateway keeps trying.']);
});
