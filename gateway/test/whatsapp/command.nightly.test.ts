import assert from 'node:assert/strict';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import { address, complaints, run } from '../support/command.ts';
import { call } from '../support/gateway.ts';

/** Nobody listens there. */
const NOWHERE = 'ws://127.0.0.1:9/';

const dataFor = () => join(temporaryFolder(), 'data');

const args = (data: string) => [
  '--port',
  '0',
  '--engine',
  'whatsapp',
  '--data',
  data,
  '--whatsapp-url',
  NOWHERE,
];

describe('the command with --engine whatsapp', () => {
  test('logs once that WhatsApp cannot be reached, keeps trying and ends cleanly', async (t) => {
    const gateway = run(t, args(dataFor()));
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

  test('prints one sentence if another gateway uses the folder', async (t) => {
    const data = dataFor();
    const first = run(t, args(data));
    await address(first);
    const second = run(t, args(data));
    assert.equal(await second.ended, 1);
    assert.deepEqual(second.output, {
      stdout: '',
      stderr: `The folder '${data}' is in use, by a gateway or a backup: stop that first, or choose another with --data.\n`,
    });
  });

  test('prints one sentence if others can write to the folder, with the command that fixes it', async (t) => {
    const data = dataFor();
    mkdirSync(data);
    chmodSync(data, 0o777);
    const gateway = run(t, args(data));
    assert.equal(await gateway.ended, 1);
    assert.deepEqual(gateway.output, {
      stdout: '',
      stderr:
        `Other users can write to '${data}', so the sessions' keys are not safe there. ` +
        `Run this first: chmod go-w '${data}'\n`,
    });
  });

  test('has no simulated phones, and the demo page works without them', async (t) => {
    const gateway = run(t, args(dataFor()));
    const url = await address(gateway);
    assert.equal((await fetch(`${url}/simulator/phones`)).status, 404);
    assert.equal((await fetch(`${url}/`)).status, 200);
  });
});
