import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { explainRefusal } from '../../src/card/test-message.tsx';
import { RequestError } from '../../src/server/errors.ts';
import type { Session } from '../../src/session/session.ts';
import { joined, overHttp, pass, settled, stopTime, t } from './support.ts';

const from = '5491155550001';
const to = '5215550002222';
const connected: Session = { numero: from, state: 'CONNECTED', waiting: false };
const down: Session = { numero: from, state: 'DESCONECTADO', waiting: false };

stopTime();

/** Sends a message to a server that answers so, and returns what its card says of a refusal. */
async function refusal(answer: () => Response, session = connected, number = to) {
  const panel = await joined([session], { send: overHttp(answer).send });
  const { error } = await panel.store.send({ from, to: number, text: 'Hola' });
  assert.ok(error);
  const { text, wrongNumber } = explainRefusal(t, error, number);
  return { ...panel, error, text, wrongNumber };
}

describe('the number of a test message', () => {
  const numbers = [
    ' +52 1 (555) 000-22.22 ',
    '52\u20111\u2011555\u20110002222',
    '\u202a+5215550002222\u202c',
    '52 1 555\u00a0000\u00a02222',
  ];
  for (const number of numbers) {
    it(`is sent without the marks of ${JSON.stringify(number)}`, async () => {
      const sent: unknown[] = [];
      const { store, notices } = await joined([connected], {
        send: async (message) => void sent.push(message),
      });
      assert.deepEqual(await store.send({ from, to: number, text: 'Hola' }), { numero: from });
      assert.deepEqual(sent, [{ from, to, text: 'Hola' }]);
      assert.deepEqual(notices, [`positive: Mensaje enviado a ${to}`]);
    });
  }

  for (const number of ['', 'cinco', '555 000 a', '54911x5555', '++5215550002222', '12345678901234567890']) {
    it(`is not sent where it is invalid: "${number}"`, async () => {
      const send = () => assert.fail('it was sent');
      const { store, notices } = await joined([connected], { send });
      const { error } = await store.send({ from, to: number, text: 'Hola' });
      assert.deepEqual(notices, ['negative: El número de destino no es válido.']);
      assert.ok(error);
      assert.deepEqual(explainRefusal(t, error, number), {
        text: 'No se envió el mensaje: El número de destino no es válido. Escribe solo dígitos, con el código de país.',
        wrongNumber: true,
      });
    });
  }
});

describe('a test message', () => {
  it('is posted with the payload of the contract', async () => {
    const requests: Request[] = [];
    const { send } = overHttp((request) => {
      requests.push(request);
      return new Response();
    });
    const { store } = await joined([connected], { send });
    await store.send({ from, to, text: 'Hola, ¿llegó? <b>100 %</b>' });
    const [request, ...more] = requests;
    assert.deepEqual(more, []);
    assert.equal(`${request?.method} ${request?.url}`, 'POST http://server.example/api/message');
    assert.deepEqual(await request?.json(), {
      mensaje: { cuerpo: 'Hola, ¿llegó? <b>100 %</b>', contactos: [Number(to)] },
      remitente: from,
      autorespuesta: false,
      ids: [1],
      encolar: false,
    });
  });

  it('is sent once while it is under way', async () => {
    const send = mock.fn(() => settled().then(() => undefined));
    const { store, notices } = await joined([connected], { send });
    await Promise.all([store.send({ from, to, text: 'Hola' }), store.send({ from, to, text: 'Hola' })]);
    assert.equal(send.mock.callCount(), 1);
    assert.equal(notices.length, 1);
  });
});

describe('a refusal has the reason, and the next step where the session does not say it', () => {
  const NEXT = {
    number: ' Escribe solo dígitos, con el código de país.',
    look: ' Mira en el teléfono si salió antes de repetirlo.',
    none: '',
  };
  const cases: readonly [status: number, message: string, next: keyof typeof NEXT, session?: Session][] = [
    [422, `El número ${to} no tiene WhatsApp.`, 'number'],
    [422, 'El mensaje es demasiado largo', 'none'],
    [400, 'El mensaje está vacío.', 'none'],
    [413, 'Demasiado grande', 'none'],
    [500, 'No hay memoria', 'none'],
    [409, 'La sesión no está conectada', 'none', down],
    [504, 'WhatsApp no lo confirmó.', 'look'],
    [504, 'WhatsApp no lo confirmó.', 'look', down],
  ];
  for (const [status, message, next, session = connected] of cases) {
    it(`${status}, ${message}, ${session.state}: ${next}`, async () => {
      const { text, wrongNumber, notices } = await refusal(
        () => Response.json({ message }, { status }),
        session,
      );
      assert.equal(
        text,
        `El servidor no ${next === 'look' ? 'confirmó' : 'aceptó'} el mensaje: ${message.replace(/\.$/, '')}.${NEXT[next]}`,
      );
      assert.equal(wrongNumber, next === 'number');
      assert.deepEqual(notices, [`negative: Request failed with status code ${status}: ${message}`]);
    });
  }

  it('where the server gives no reason', async () => {
    const { text } = await refusal(() => new Response('', { status: 500 }));
    assert.equal(text, 'El servidor no aceptó el mensaje: El servidor tuvo un error.');
  });

  it('where the connection breaks, it is unknown whether the message was sent', async () => {
    const { text } = await refusal(() => {
      throw new TypeError('fetch failed');
    });
    assert.equal(text, `El servidor no confirmó el mensaje: Sin conexión con el servidor.${NEXT.look}`);
  });

  it('where the server writes the number in another way', async () => {
    const { wrongNumber } = await refusal(
      () => Response.json({ message: `El número ${to} no tiene WhatsApp.` }, { status: 422 }),
      connected,
      '+52 1 555 000-2222',
    );
    assert.equal(wrongNumber, true);
  });
});

describe('a test message that failed', () => {
  const WELL = 'Conectada: envía y recibe mensajes.';
  const FAILED = 'Conectada, pero la última prueba de envío falló.';
  const FAILED_TWICE = /^Conectada, pero las dos últimas pruebas de envío fallaron\. Levántala de nuevo/;

  /** A panel of a CONNECTED session whose messages end as these; the last one repeats. */
  async function panel(...ends: readonly (string | Error | undefined)[]) {
    let next = 0;
    const joining = await joined([connected], {
      send: async () => {
        const end = ends[Math.min(next, ends.length - 1)];
        next += 1;
        if (end instanceof Error) throw end;
        return end;
      },
    });
    joining.listener.extensions(new Set(['ack']));
    return {
      ...joining,
      send: () => joining.store.send({ from, to, text: 'Hola' }),
      ack: (id: string, status: 'server' | 'failed' | 'device') =>
        joining.listener.push({ type: 'ack', numero: from, id, status }),
      shows: () => [joining.says(from), joining.status(from)?.asks],
    };
  }
  const refused = new RequestError('no', { status: 502 });

  it('stays on the row until one succeeds', async () => {
    const { send, says, status } = await panel(refused, undefined);
    await send();
    assert.equal(says(from), FAILED);
    assert.equal(status(from)?.asks, 'nothing');
    await send();
    assert.equal(says(from), WELL);
  });

  it('twice in a row requires attention until one succeeds', async () => {
    const { store, send, says, status } = await panel(refused, refused, refused, undefined);
    for (let times = 0; times < 3; times++) await send();
    assert.match(says(from) ?? '', FAILED_TWICE);
    assert.equal(status(from)?.asks, 'act');
    pass(1);
    assert.equal(store.counts.get().attention, 1);
    await send();
    assert.equal(says(from), WELL);
    assert.equal(status(from)?.asks, 'nothing');
  });

  it('twice, with a success in between, does not', async () => {
    const { send, says } = await panel(refused, undefined, refused);
    for (let times = 0; times < 3; times++) await send();
    assert.equal(says(from), FAILED);
  });

  it('after it was accepted counts as well', async () => {
    const { send, ack, says, shows } = await panel('A1', 'A2', 'A3');
    await send();
    ack('A1', 'server');
    assert.equal(says(from), WELL);
    ack('A1', 'failed');
    assert.equal(says(from), FAILED);
    await send();
    assert.equal(says(from), WELL);
    ack('A1', 'failed');
    ack('A2', 'failed');
    ack('A2', 'failed');
    assert.match(says(from) ?? '', FAILED_TWICE);
    ack('A2', 'device');
    assert.deepEqual(shows(), [WELL, 'nothing']);
  });

  it('is forgotten when the session changes', async () => {
    const { listener, send, says } = await panel(refused);
    await send();
    await send();
    listener.push({ type: 'change_state', numero: from, state: 'CONNECTED' });
    assert.match(says(from) ?? '', FAILED_TWICE);
    listener.push({ type: 'disconnected', numero: from });
    assert.equal(says(from), 'Está desconectada de WhatsApp. Levántala para volver a usarla.');
    listener.push({ type: 'ready', numero: from });
    assert.equal(says(from), WELL);
  });

  it('says nothing of the session where the message is to blame, or the way to the server', async () => {
    for (const error of [
      new RequestError('no', { status: 422 }),
      new RequestError('no', { status: 400 }),
      new RequestError('no', { kind: 'network' }),
      new RequestError('no', { kind: 'number' }),
    ]) {
      const { send, says } = await panel(error);
      await send();
      await send();
      assert.equal(says(from), WELL);
    }
  });
});
