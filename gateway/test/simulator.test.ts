import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { WireAck, WirePairing } from '../../src/wire.ts';
import { ENDINGS, type Ending } from '../src/engines/simulated/endings.ts';
import { call, Listener, message, NUMERO, startGateway } from './support/gateway.ts';
import { ManualClock } from './support/manual-clock.ts';

const act = (action: string, body: unknown = {}) =>
  [`/simulator/phones/${NUMERO}/${action}`, { method: 'POST', body }] as const;

describe('the HTTP API of the simulated phones', () => {
  test('lists the phones with their public state', async (t) => {
    const gateway = await startGateway(t, { sessions: [{ numero: NUMERO, state: 'connected' }] });
    await call(gateway, '/api/message', { method: 'POST', body: message(NUMERO, [Number(NUMERO)]) });
    const { body } = await call(gateway, '/simulator/phones');
    assert.deepEqual(body, gateway.phones.list());
    assert.deepEqual(body, [
      {
        numero: NUMERO,
        linked: true,
        online: true,
        state: 'connected',
        code: null,
        passkey: null,
        fault: null,
        stalled: false,
        reported: null,
        bannedUntil: null,
        restrictedUntil: null,
        messages: [
          { text: 'Hola', from: NUMERO, at: gateway.phones.get(NUMERO)?.messages[0]?.at, read: false },
        ],
      },
    ]);
  });

  test("performs the actions of a phone's owner", async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { clock, sessions: [{ numero: NUMERO, state: 'qr' }] });
    const listener = await Listener.connect(t, gateway);
    const { status } = await call(gateway, ...act('scan', { code: gateway.phones.get(NUMERO)?.code }));
    assert.equal(status, 204);
    clock.advance(1_500);
    await listener.heard(`session:ready:${NUMERO}`);

    await gateway.phones.send(NUMERO, NUMERO, 'Hola');
    for (const action of ['lose-line', 'recover-line', 'read', 'unlink']) {
      assert.equal((await call(gateway, ...act(action))).status, 204, action);
    }
    await listener.heard(`session:disconnected:${NUMERO}`);

    await call(gateway, `/api/session/levanta/${NUMERO}`);
    clock.advance(1_000);
    const pairing = await gateway.phones.pair(NUMERO);
    assert.equal((await call(gateway, ...act('pair', { code: pairing.code }))).status, 204);
    clock.advance(1_500);
    assert.equal(gateway.phones.get(NUMERO)?.state, 'connected');
  });

  test("shows the panels what a phone's owner does with codes and messages", async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { clock, sessions: [{ numero: NUMERO, state: 'qr' }] });
    const panel = await Listener.connect(t, gateway);
    const pairing = await call(gateway, `/api/session/${NUMERO}/pairing`, { method: 'POST', body: {} });
    assert.deepEqual(await panel.heard(`session:code:${NUMERO}`), [pairing.body]);
    const { code } = pairing.body as WirePairing;
    await call(gateway, ...act('pair', { code }));
    clock.advance(1_500);
    assert.deepEqual(await panel.heard(`session:code:${NUMERO}`, 1), [null]);

    await call(gateway, '/api/message', { method: 'POST', body: message(NUMERO, [Number(NUMERO)]) });
    await call(gateway, ...act('read'));
    const acks = [];
    for (const after of [0, 1, 2]) acks.push(...(await panel.heard('message:ack', after)));
    assert.deepEqual(
      acks.map((ack) => (ack as WireAck).status),
      ['server', 'device', 'read'],
    );
  });

  test('scans with an account that requires a passkey, confirms with it long after, and shows a code to compare', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { clock, sessions: [{ numero: NUMERO, state: 'qr' }] });
    const step = async () => {
      const { status } = await call(gateway, ...act('passkey'));
      return [status, gateway.phones.get(NUMERO)?.passkey?.step];
    };
    assert.deepEqual(await step(), [204, 'sign']);
    clock.advance(5 * 60_000);
    assert.deepEqual(await step(), [204, 'confirm']);
    assert.match(
      gateway.phones.get(NUMERO)?.passkey?.code ?? '',
      /^[1-9A-HJ-NP-TV-Z]{4}-[1-9A-HJ-NP-TV-Z]{4}$/,
    );
    assert.deepEqual(await step(), [409, 'confirm']);
  });

  test('ends a session for each reason that the drawer names', async (t) => {
    const linking: readonly Ending[] = ['passkey', 'other-number'];
    const sessions = ENDINGS.map((reason, index) => ({
      reason,
      numero: `${NUMERO}${index}`,
      state: linking.includes(reason) ? ('qr' as const) : ('connected' as const),
    }));
    const gateway = await startGateway(t, { sessions });
    for (const { numero, reason } of sessions) {
      const path = `/simulator/phones/${numero}/unlink`;
      const { status } = await call(gateway, path, { method: 'POST', body: { reason } });
      assert.equal(status, 204, reason);
      assert.notEqual(gateway.phones.get(numero)?.state, 'connected', reason);
    }
    assert.equal((await call(gateway, ...act('unlink', { reason: 'boredom' }))).status, 400);
  });

  test('says why a phone refuses', async (t) => {
    const gateway = await startGateway(t, { sessions: [{ numero: NUMERO, state: 'qr' }] });
    const refusals = [
      [act('scan', { code: '2@a,b,c,d' }), 409, `El código QR no es de la sesión de ${NUMERO}.`],
      [act('unlink'), 409, `El teléfono ${NUMERO} no está vinculado.`],
      [act('lose-line'), 409, `La sesión de ${NUMERO} no está conectada.`],
      [act('recover-line'), 409, `El teléfono ${NUMERO} ya tiene línea.`],
      [
        act('pair', { code: 'ABCD1234' }),
        409,
        `La sesión de ${NUMERO} no tiene ningún código para escribir.`,
      ],
      [act('read'), 409, `El teléfono ${NUMERO} no tiene mensajes sin leer.`],
      [act('scan'), 400, "Falta el campo 'code' en la solicitud."],
    ] as const;
    for (const [request, status, says] of refusals) {
      const { body } = await call(gateway, ...request);
      assert.deepEqual(body, {
        statusCode: status,
        error: status === 409 ? 'Conflict' : 'Bad Request',
        message: says,
      });
    }
    const unknown = await call(gateway, '/simulator/phones/1/unlink', { method: 'POST', body: {} });
    assert.equal(unknown.status, 404);
  });

  test('refuses an expired code', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { clock, sessions: [{ numero: NUMERO, state: 'qr' }] });
    const expired = gateway.phones.get(NUMERO)?.code;
    clock.advance(60_000);
    const { status, body } = await call(gateway, ...act('scan', { code: expired }));
    assert.equal(status, 409);
    assert.deepEqual(body, {
      statusCode: 409,
      error: 'Conflict',
      message: `El código QR de ${NUMERO} venció.`,
    });
  });

  test('changes nothing without a JSON body', async (t) => {
    const gateway = await startGateway(t, { sessions: [{ numero: NUMERO, state: 'connected' }] });
    const { status } = await call(gateway, `/simulator/phones/${NUMERO}/unlink`, { method: 'POST' });
    assert.equal(status, 400);
    assert.equal(gateway.phones.get(NUMERO)?.linked, true);
  });

  test('pushes each change of a phone, and its removal, to the drawer', async (t) => {
    const gateway = await startGateway(t, { sessions: [{ numero: NUMERO, state: 'connected' }] });
    const drawer = await Listener.connect(t, gateway, '/simulator');
    const panel = await Listener.connect(t, gateway);

    gateway.phones.phone(NUMERO).loseLine();
    assert.deepEqual(await drawer.heard('phone'), [gateway.phones.get(NUMERO)]);
    await call(gateway, `/api/session/${NUMERO}`, { method: 'DELETE' });
    assert.deepEqual(await drawer.heard('phone:removed'), [NUMERO]);

    await panel.heard(`session:disconnected:${NUMERO}`);
    assert.ok(panel.names.every((name) => name.startsWith('session:')));
    assert.ok(drawer.names.every((name) => name.startsWith('phone')));
  });

  test('keeps at most a hundred phones without a session', async (t) => {
    const gateway = await startGateway(t, { sessions: [{ numero: NUMERO, state: 'connected' }] });
    const drawer = await Listener.connect(t, gateway, '/simulator');
    const strangers = Array.from({ length: 100 }, (_, index) => 34600000000 + index);
    for (const contacts of [strangers, [34700000000]]) {
      await call(gateway, '/api/message', { method: 'POST', body: message(NUMERO, contacts) });
    }
    assert.deepEqual(await drawer.heard('phone:removed'), ['34600000000']);
    assert.equal(gateway.phones.list().length, 101);
    assert.equal(gateway.phones.get('34700000000')?.messages.length, 1);
  });
});
