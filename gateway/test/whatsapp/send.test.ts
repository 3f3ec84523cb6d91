import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { Acks } from '../../src/engines/acks.ts';
import { Outbox } from '../../src/engines/whatsapp/outbox.ts';
import { TIMINGS } from '../../src/engines/whatsapp/timings.ts';
import { nextTurn } from '../../src/engines/whatsapp/waits.ts';
import type { Delivery } from '../../src/sessions/engine.ts';
import { messageDeadlines, SEND } from './support/deadlines.ts';
import { NUMERO, OTHER, startLab } from './support/lab.ts';

const THIRD = '34600000003';

describe('a message of a real session', () => {
  test('arrives at a number that WhatsApp has in another form', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    lab.whatsapp.setAlias('5491155556666', '541155556666');
    assert.equal((await lab.send(['5491155556666'])).status, 200);
    assert.equal(lab.whatsapp.phone('541155556666').messages.length, 1);
  });

  test('to several recipients is sent to each; the answer names the failed ones, with reasons', async (t) => {
    const deadlines = messageDeadlines(t);
    const lab = await startLab(t, { timings: { send: SEND } });
    await lab.link();
    lab.whatsapp.setNoWhatsapp('34600000011');
    lab.whatsapp.setMessageFate('34600000012', 463);
    lab.whatsapp.setMessageFate('34600000013', 'lost');
    lab.whatsapp.setNoAnswer('34600000014');
    const several = [OTHER, '34600000011', '34600000012', '34600000013', '34600000014', THIRD];
    const sent = lab.send(several);
    await until(() => lab.whatsapp.phone('34600000013').undelivered === 1, 'the message that is lost');
    deadlines.at(-1)?.abort();
    await until(() => lab.whatsapp.unansweredAbout('34600000014') === 1, 'the query without an answer');
    deadlines.at(-1)?.abort();
    const { status, body } = await sent;
    assert.equal(status, 502);
    assert.deepEqual(body, {
      statusCode: 502,
      error: 'Bad Gateway',
      message: [
        'El número 34600000011 no tiene WhatsApp.',
        'WhatsApp rechazó el mensaje para 34600000012.',
        'WhatsApp no lo confirmó: puede que no llegue a 34600000013.',
        'WhatsApp no responde: no se envió a 34600000014.',
      ].join(' '),
    });
    for (const number of [OTHER, THIRD]) assert.equal(lab.whatsapp.phone(number).messages.length, 1);
  });

  for (const [what, prepare] of Object.entries({
    'while it has a code to scan': (lab) => lab.levanta().then(() => lab.code()),
    'when it was unlinked': async (lab) => {
      await lab.link();
      lab.whatsapp.phone(NUMERO).unlink();
      await lab.state(STATES.disconnected);
    },
    'while its line is lost': async (lab) => {
      await lab.link();
      await lab.whatsapp.goDown();
      await lab.state(/^SIN CONEXIÓN/);
    },
  } satisfies Record<string, (lab: Awaited<ReturnType<typeof startLab>>) => Promise<unknown>>)) {
    test(`is answered with 409 ${what}`, async (t) => {
      const lab = await startLab(t);
      await prepare(lab);
      const { status, body } = await lab.send([OTHER]);
      assert.equal(status, 409);
      assert.deepEqual(body, {
        statusCode: 409,
        error: 'Conflict',
        message: `La sesión de ${NUMERO} no está conectada.`,
      });
    });
  }

  test('is not sent when the connection breaks while the number is looked up', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    lab.whatsapp.setNoAnswer(OTHER);
    const sent = lab.send([OTHER]);
    await until(() => lab.whatsapp.unansweredAbout(OTHER) === 1, 'the query');
    lab.whatsapp.phone(NUMERO).cutLine();
    const { status, body } = await sent;
    assert.equal(status, 409);
    assert.deepEqual(body, {
      statusCode: 409,
      error: 'Conflict',
      message: `La sesión perdió la conexión: no se envió a ${OTHER}.`,
    });
  });

  test('is not sent after the answer that it was not, however late the number is found', async () => {
    let find = (_account: string) => {};
    const sent: string[] = [];
    const connection = {
      isOpen: true,
      gone: new Promise<void>(() => {}),
      accountOf: () => new Promise<string>((resolve) => (find = resolve)),
      sendText: async (_account: string, text: string) => {
        sent.push(text);
        return { answer: new Promise<never>(() => {}) };
      },
      knows: async () => true,
      askLimit: async () => {},
    };
    const outbox = new Outbox({ ...TIMINGS, send: 10 }, () => connection, new Acks(), { isLimited: false });
    let outcome: Delivery | undefined;
    void outbox.send(OTHER, 'Hola', () => {}).then((delivery) => (outcome = delivery));
    assert.equal(await until(() => outcome, 'the outcome'), 'no-answer');
    find(OTHER);
    await nextTurn();
    assert.deepEqual(sent, []);
  });

  test('does not count as sent when the connection breaks before WhatsApp confirms it', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    lab.whatsapp.setMessageFate(OTHER, 'lost');
    const sent = lab.send([OTHER]);
    await until(() => lab.whatsapp.phone(OTHER).undelivered === 1, 'the message');
    lab.whatsapp.phone(NUMERO).cutLine();
    const { status, body } = await sent;
    assert.equal(status, 504);
    assert.deepEqual(body, {
      statusCode: 504,
      error: 'Gateway Timeout',
      message: `WhatsApp no lo confirmó: puede que no llegue a ${OTHER}.`,
    });
  });

  test('never exceeds its timeout, whatever is queued before it', async (t) => {
    const deadlines = messageDeadlines(t);
    const lab = await startLab(t, { timings: { send: SEND } });
    await lab.link();
    lab.whatsapp.phone(NUMERO).silenceLine();
    const answers = Array.from({ length: 8 }, () => lab.send([OTHER]));
    await until(() => deadlines.length === 8, 'the time of each to run');
    for (const deadline of deadlines) deadline.abort();
    assert.deepEqual(
      (await Promise.all(answers)).map(({ status }) => status),
      Array(8).fill(503),
    );
  });

  test('is refused at once when too many are queued, and does not delay those behind it', async (t) => {
    const send = 8_000;
    // None of them comes: messages are refused for their number.
    messageDeadlines(t, send);
    const lab = await startLab(t, { timings: { pause: 2_000, send } });
    await lab.link();
    await lab.send([OTHER]);
    const answers = await Promise.all(Array.from({ length: 12 }, () => lab.send([OTHER])));
    const refused = answers.filter(({ status }) => status === 429);
    assert.ok(refused.length >= 5, `${refused.length} of 12`);
    assert.deepEqual(refused[0]?.body, {
      statusCode: 429,
      error: 'Too Many Requests',
      message: `Hay demasiados mensajes en espera: no se envió a ${OTHER}.`,
    });
    assert.equal((await lab.send([OTHER])).status, 200);
  });

  test('waits for a pause after the previous one, of the same session only', async (t) => {
    const pause = 1_000;
    const lab = await startLab(t, { timings: { pause } });
    await lab.link();
    await lab.link(THIRD);
    // One first: it takes longer, since the recipient's keys are fetched.
    await Promise.all([lab.send([OTHER]), lab.send([OTHER], 'Hola', THIRD)]);

    const before = performance.now();
    let isOver = false;
    const four = lab.send([OTHER, OTHER, OTHER, OTHER]).then(() => {
      isOver = true;
    });
    await lab.send([OTHER], 'Hola', THIRD);
    assert.equal(isOver, false);
    await four;
    assert.ok(performance.now() - before >= 3 * pause);
  });
});
