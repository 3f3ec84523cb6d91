import assert from 'node:assert/strict';
import { test } from 'node:test';
import { io } from 'socket.io-client';
import { until } from '../../test/support/until.ts';
import { address, run } from './support/command.ts';
import { call, message } from './support/gateway.ts';

const TOKEN = 'el-token-que-nadie-debe-ver';
const NUMERO = '5215550001111';
const FRIEND = '34600111222';
const TEXT = 'Lo que solo ella debe leer';

test('the gateway logs nothing confidential in a whole life, with everything that can go wrong', async (t) => {
  const command = run(t, ['--port', '0', '--sessions', '3', '--log-level', 'trace'], {
    env: { WO_TOKEN: TOKEN },
  });
  const url = await address(command);
  const socket = io(url, { forceNew: true, auth: { token: TOKEN } });
  t.after(() => socket.disconnect());
  const pushes: [name: string, ...payload: unknown[]][] = [];
  socket.onAny((...push: [string, ...unknown[]]) => pushes.push(push));
  const heard = (name: string) => until(() => pushes.find((push) => push[0] === `${name}:${NUMERO}`), name);
  const ask = async (path: string, method = 'GET', body?: unknown, token = TOKEN) => {
    const headers = { Authorization: `Bearer ${token}` };
    return (await call({ url }, path, { method, body, headers })).status;
  };
  const send = (from: string, to: number) => ask('/api/message', 'POST', message(from, [to], TEXT));
  const phone = (action: string, body = {}) => ask(`/simulator/phones/${NUMERO}/${action}`, 'POST', body);
  await until(() => socket.connected, 'a connection');

  assert.equal(await ask('/api/session/sessions', 'GET', undefined, 'un-token-equivocado'), 401);
  assert.equal(await ask('/api/session/levanta/abc'), 400);
  assert.equal(await ask(`/api/session/levanta/${NUMERO}`), 200);
  const [, code] = await heard('session:qr');
  assert.equal(await send(NUMERO, 34600111222), 409);
  assert.equal(await phone('scan', { code: '2@of-another-session' }), 409);
  // A code lives for twenty seconds or a minute: the current one is fetched until it is scanned.
  await until(async () => {
    const { body } = await call({ url }, '/simulator/phones', {
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    assert.ok(Array.isArray(body));
    const shown: unknown = body.find(({ numero }) => numero === NUMERO)?.code;
    return (await phone('scan', { code: shown })) === 204;
  }, 'a scan');
  await heard('session:ready');
  assert.equal(await send(NUMERO, Number(FRIEND)), 200);
  assert.equal(await send(NUMERO, 1234567890123456), 422);
  assert.equal(await send('99', Number(FRIEND)), 404);
  assert.equal(await ask('/api/message', 'POST', `{"mensaje": ${TEXT}`), 400);
  assert.equal(await ask('/api/message', 'POST', { mensaje: TEXT }), 400);
  assert.equal(await ask('/api/message', 'POST', message(NUMERO, [1], TEXT.repeat(30_000))), 413);
  assert.equal(await phone('lose-line'), 204);
  assert.equal(await phone('recover-line'), 204);
  assert.equal(await phone('unlink'), 204);
  await heard('session:disconnected');
  assert.equal(await ask(`/api/session/${NUMERO}`, 'DELETE'), 204);

  command.child.kill('SIGTERM');
  assert.equal(await command.ended, 0);
  const { stdout, stderr } = command.output;
  assert.equal(stdout, `${url}/ (Ctrl-C stops it)\n`);
  for (const line of stderr.trimEnd().split('\n')) assert.equal(typeof JSON.parse(line).msg, 'string');
  for (const secret of [TOKEN, FRIEND, TEXT, String(code)]) assert.ok(!stderr.includes(secret), secret);
});
