import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Session } from '../../src/session/session.ts';
import { joined, overHttp, stopTime } from './support.ts';

const numero = '5491155550001';
const connected: Session = { numero, state: 'CONNECTED', waiting: false };
const BARE = 'Request failed with status code 409';
const LONG = 'ñ'.repeat(301);

stopTime();

/** What the operator is told of a start that is answered so. */
async function noticesOf(body: string, status = 409, type = 'application/json'): Promise<readonly string[]> {
  const answer = () => new Response(body, { status, headers: { 'content-type': type } });
  const { store, notices, events } = await joined([connected], { start: overHttp(answer).start });
  const { error } = await store.up(numero);
  assert.deepEqual(events.at(-1), { name: 'wo-error', detail: { error, action: 'up' } });
  assert.deepEqual(notices, [`negative: ${error?.message}`]);
  return notices;
}

describe('what the server itself says of a failure', () => {
  const said: readonly [what: string, body: string, reason: string, type?: string][] = [
    ['comes after the text of the catalogue', '{"statusCode":409,"message":"Ahora no"}', 'Ahora no'],
    [
      'may have any type',
      '{"message":"  Espera un momento\\n"}',
      'Espera un momento',
      'application/problem+json',
    ],
    ['may be as long as a notice has room for', JSON.stringify({ message: LONG.slice(1) }), LONG.slice(1)],
    ['is cut where it is longer', JSON.stringify({ message: LONG }), `${LONG.slice(2)}…`],
    ['is cut between characters', JSON.stringify({ message: '😀'.repeat(400) }), `${'😀'.repeat(299)}…`],
    ['stays text where it is HTML', '{"message":"<b>no</b>"}', '<b>no</b>'],
  ];
  for (const [what, body, reason, type] of said) {
    it(what, async () =>
      assert.deepEqual(await noticesOf(body, 409, type), [`negative: ${BARE}: ${reason}`]),
    );
  }

  const silent: readonly [what: string, body: string, type?: string][] = [
    ['absent', '{"error":"Conflict"}'],
    ['empty', '{"message":" "}'],
    ['a number', '{"message":5}'],
    ['a list', '{"message":["uno","dos"]}'],
    ['an object', '{"message":{"text":"uno"}}'],
    ['in a list', '[{"message":"uno"}]'],
    ['in null', 'null'],
    ['in no JSON', 'message: uno'],
    ['in a page', '<p>message</p>', 'text/html'],
    ['in an empty answer', ''],
  ];
  for (const [what, body, type] of silent) {
    it(`is left out where it is ${what}`, async () =>
      assert.deepEqual(await noticesOf(body, 409, type), [`negative: ${BARE}`]));
  }

  it("replaces the panel's own sentence about signing in", async () => {
    const unauthorized = 'negative: Request failed with status code 401';
    assert.deepEqual(await noticesOf('', 401), [`${unauthorized}: debes iniciar sesión de nuevo`]);
    assert.deepEqual(await noticesOf('{"message":"Falta el token"}', 401), [
      `${unauthorized}: Falta el token`,
    ]);
  });
});
