import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { STATES, type WireHistoryEntry } from '../../src/wire.ts';
import { createLogger } from '../src/log.ts';
import { call, itemOf, Listener, NUMERO, startGateway } from './support/gateway.ts';
import { ManualClock } from './support/manual-clock.ts';

/** How long after the scan a passkey links the phone without a code to compare, in milliseconds. */
const PROVEN = 5 * 60_000;

/** As the browser extension returns it. */
const ASSERTION = {
  id: 'AX8bTgH2',
  rawId: 'AX8bTgH2',
  type: 'public-key',
  authenticatorAttachment: 'platform',
  response: {
    clientDataJSON: 'eyJ0eXBl',
    authenticatorData: 'SZYN5YgO',
    signature: 'canary-signature',
    userHandle: 'MTIzNDU2',
  },
  clientExtensionResults: {},
};

/** A gateway with a session whose phone has scanned the code, and needs a passkey. */
async function open(t: TestContext) {
  const lines: string[] = [];
  const clock = new ManualClock();
  const logger = createLogger('trace', { write: (line) => lines.push(line) });
  const sessions = [{ numero: NUMERO, state: 'qr' }] as const;
  const gateway = await startGateway(t, { clock, logger, sessions, metrics: true });
  const listener = await Listener.connect(t, gateway);
  gateway.phones.phone(NUMERO).usePasskey();
  const goOn = (body?: unknown) =>
    call(gateway, `/api/session/${NUMERO}/passkey`, { method: 'POST', ...(body ? { body } : {}) });
  return { gateway, clock, lines, listener, goOn, steps: () => stepsIn(listener) };
}

/** The steps that were pushed; null is none. */
const stepsIn = ({ all }: Listener) =>
  all.flatMap(([name, step]) =>
    name === `session:passkey:${NUMERO}` ? [Object(step ?? {}).step ?? null] : [],
  );

describe('a session whose account requires a passkey', () => {
  test('links the phone once the passkey has signed', async (t) => {
    const { clock, listener, goOn, steps } = await open(t);
    assert.equal((await goOn({ assertion: ASSERTION })).status, 202);
    clock.advance(1_500);
    await listener.heard(`session:ready:${NUMERO}`);
    assert.deepEqual(steps(), ['sign', 'wait', null]);
  });

  test('is listed and pushed at each step until the phone is linked', async (t) => {
    const { gateway, clock, listener, goOn, steps } = await open(t);
    const asked = await itemOf(gateway, NUMERO);
    assert.equal(asked?.passkey?.step, 'sign');
    // Panels take it for one where somebody has to act.
    assert.match(asked?.state ?? '', /^[^:]+: .*[^.]$/);
    assert.equal(asked?.reason?.code, 'passkey');
    const { status, body } = await call(gateway, `/api/session/${NUMERO}/passkey`);
    assert.deepEqual([status, Object(body).rpId], [200, 'whatsapp.com']);

    clock.advance(PROVEN);
    assert.equal((await goOn({ assertion: ASSERTION })).status, 202);
    const code = gateway.phones.get(NUMERO)?.passkey?.code ?? '';
    const shown = await itemOf(gateway, NUMERO);
    assert.equal(shown?.passkey?.step, 'confirm');
    assert.ok(shown.passkey.text.endsWith(` ${code}`), shown.passkey.text);
    assert.equal((await goOn()).status, 202);
    clock.advance(1_500);
    await listener.heard(`session:ready:${NUMERO}`);
    assert.deepEqual(steps(), ['sign', 'confirm', 'wait', null]);
    const linked = await itemOf(gateway, NUMERO);
    assert.deepEqual([linked?.state, linked?.passkey], [STATES.connected, undefined]);
    assert.ok(!listener.all.some(([name, change]) => /:details:/.test(name) && Object(change).passkey));
  });

  test('refuses what is not its step, and what is no assertion, and stays as it is', async (t) => {
    const { gateway, clock, goOn } = await open(t);
    clock.advance(PROVEN);
    const said = async (body?: unknown) => {
      const answer = await goOn(body);
      return [answer.status, Object(answer.body).message];
    };
    const sentence = `La sesión de ${NUMERO} no espera ese paso de una llave de acceso: mira en el panel qué pide ahora.`;
    assert.deepEqual(await said(), [409, sentence]);
    assert.deepEqual(await said(''), [409, sentence]);
    for (const [field, odd] of [
      ['id', 'x'.repeat(9_000)],
      ['rawId', '!!!'],
      ['type', 'banana'],
    ] as const) {
      assert.deepEqual(await said({ assertion: { ...ASSERTION, [field]: odd } }), [
        400,
        `El campo 'assertion/${field}' de la solicitud no es válido.`,
      ]);
    }
    assert.equal((await itemOf(gateway, NUMERO))?.passkey?.step, 'sign');
    await goOn({ assertion: ASSERTION });
    assert.deepEqual(await said({ assertion: ASSERTION }), [409, sentence]);
    assert.equal((await call(gateway, `/api/session/${NUMERO}/passkey`)).status, 409);
    assert.equal((await call(gateway, '/api/session/99/passkey', { method: 'POST' })).status, 404);
  });

  test('leaves the step when it is started again or deleted', async (t) => {
    const { gateway, clock, listener, steps } = await open(t);
    await call(gateway, `/api/session/levanta/${NUMERO}`);
    assert.equal((await itemOf(gateway, NUMERO))?.passkey, undefined);
    clock.advance(1_000);
    await listener.heard(`session:qr:${NUMERO}`);
    gateway.phones.phone(NUMERO).usePasskey();
    await call(gateway, `/api/session/${NUMERO}`, { method: 'DELETE' });
    await listener.heard('session:deleted');
    assert.deepEqual(steps(), ['sign', null, 'sign', null]);
  });

  test('tells neither log, history nor metrics what was signed, or the code', async (t) => {
    const { gateway, clock, lines, goOn } = await open(t);
    clock.advance(PROVEN);
    const { body } = await call(gateway, `/api/session/${NUMERO}/passkey`);
    await goOn({ assertion: ASSERTION });
    const code = gateway.phones.get(NUMERO)?.passkey?.code ?? '';
    assert.match(code, /^\w{4}-\w{4}$/);
    const history = (await call(gateway, `/api/session/${NUMERO}/history`)).body as WireHistoryEntry[];
    const metrics = await fetch(`${gateway.url}/metrics`).then((answer) => answer.text());
    const told = [...lines, metrics, JSON.stringify(history)].join('\n');
    assert.match(told, /"step":"confirm"/);
    assert.match(told, /pushes_total{event="passkey"} 2/);
    assert.doesNotMatch(told, /canary/);
    assert.ok(!told.includes(Object(body).challenge), 'the challenge');
    assert.ok(!told.includes(code), 'the code');
  });
});
