import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import type { Sign } from '../../src/sessions/engine.ts';
import { messageDeadlines, SEND } from './support/deadlines.ts';
import { type EngineLab, type EngineLabOptions, startEngine } from './support/engine-lab.ts';
import { NUMERO, OTHER } from './support/lab.ts';

const THIRD = '34600000003';

/** An end of a limit, in milliseconds since 1970; WhatsApp has seconds. */
const END = 1_900_000_000_000;
const LIMIT = { until: END / 1000 };

/** Links a session, and lets it ask about its limit. */
async function startLinked(t: TestContext, options?: EngineLabOptions) {
  const lab = await startEngine(t, options);
  await lab.link(NUMERO);
  await until(() => lab.whatsapp.phone(NUMERO).limitQueries === 1, 'the query');
  // Its answer may be read after a limit that is pushed meanwhile.
  await limited(lab, undefined);
  return { lab, phone: lab.whatsapp.phone(NUMERO), other: lab.whatsapp.phone(OTHER) };
}

function signs<T extends Sign['type']>(lab: EngineLab, type: T): Sign[] {
  return lab.signs(NUMERO).filter((sign) => sign.type === type);
}

const send = (lab: EngineLab, to: string) => lab.engine.send(NUMERO, to, 'Hola', () => {});

/** Resolves once the last limit that was reported is this one. */
async function limited(lab: EngineLab, limit: { until?: number } | undefined): Promise<void> {
  await until(() => {
    const last = signs(lab, 'limited').at(-1);
    assert.deepEqual(last, { type: 'limited', limit });
    return true;
  }, 'the limit');
}

describe('a limit of the account', () => {
  test('is reported, and when it is lifted', async (t) => {
    const { lab, phone } = await startLinked(t);
    await limited(lab, undefined);
    phone.setLimit(LIMIT);
    await limited(lab, { until: END });
    phone.setLimit(undefined);
    await limited(lab, undefined);
    assert.equal(lab.events(NUMERO).at(-1)?.type, 'ready');
  });

  test('is asked for at each login, and may have no end', async (t) => {
    const { lab, phone } = await startLinked(t);
    await limited(lab, undefined);
    phone.limit = {};
    await lab.reopen();
    await limited(lab, {});
  });

  test('lets nothing through to contacts that have never written, and the rest as usual', async (t) => {
    const { lab, phone, other } = await startLinked(t);
    assert.equal(await send(lab, THIRD), 'sent');
    phone.setLimit(LIMIT);
    await limited(lab, { until: END });
    assert.equal(await send(lab, OTHER), 'restricted');
    assert.equal(await send(lab, THIRD), 'restricted');
    assert.equal(lab.whatsapp.received, 1);

    other.trust(phone);
    await until(async () => (await send(lab, OTHER)) === 'sent', 'the token');
    assert.equal(other.messages.length, 1);
    assert.equal(await send(lab, NUMERO), 'sent');
    phone.setLimit(undefined);
    await limited(lab, undefined);
    assert.equal(await send(lab, THIRD), 'sent');
  });

  test('is known over a lost line and a new start', async (t) => {
    const { lab, phone } = await startLinked(t);
    phone.setLimit(LIMIT);
    await limited(lab, { until: END });
    phone.limitAnswer = 'empty';
    const before = lab.events(NUMERO).length;
    await lab.start(NUMERO);
    await until(() => lab.events(NUMERO).length > before, 'the connection');
    assert.equal(await send(lab, OTHER), 'restricted');
    phone.cutLine();
    await lab.last(NUMERO, 'state');
    await until(async () => (await send(lab, OTHER)) === 'restricted', 'the connection');
    assert.equal(lab.whatsapp.received, 0);
  });

  test('is over at its end, and asked for again with the next signal', async (t) => {
    // A keep-alive would take the years until then for silence.
    const { lab, phone } = await startLinked(t, { timings: { keepAlive: 3_600_000 } });
    phone.setLimit(LIMIT);
    await limited(lab, { until: END });
    assert.equal(await send(lab, OTHER), 'restricted');
    t.mock.method(Date, 'now', () => END);
    assert.equal(await send(lab, OTHER), 'sent');
    phone.limit = undefined;
    await lab.engine.probe(NUMERO);
    await limited(lab, undefined);
  });
});

describe('a message that WhatsApp refuses with 463', () => {
  test('is restricted if WhatsApp then says so', async (t) => {
    const { lab, phone } = await startLinked(t);
    phone.limit = LIMIT;
    lab.whatsapp.setMessageFate(OTHER, 463);
    assert.equal(await send(lab, OTHER), 'restricted');
    await limited(lab, { until: END });
    assert.equal(await send(lab, THIRD), 'restricted');
    assert.equal(lab.whatsapp.phone(OTHER).undelivered, 1);
    assert.equal(phone.limitQueries, 2);
  });

  for (const limitAnswer of ['limit', 'empty'] as const) {
    test(`is refused if WhatsApp ${limitAnswer === 'empty' ? 'says nothing' : 'denies it'}`, async (t) => {
      const { lab, phone } = await startLinked(t);
      phone.limitAnswer = limitAnswer;
      lab.whatsapp.setMessageFate(OTHER, 463);
      assert.equal(await send(lab, OTHER), 'refused');
      assert.equal(phone.limitQueries, 2);
      assert.equal(await send(lab, THIRD), 'sent');
    });
  }

  test('is refused if it was refused for another reason', async (t) => {
    const { lab, phone, other } = await startLinked(t);
    other.trust(phone);
    assert.equal(await send(lab, OTHER), 'sent');
    phone.setLimit(LIMIT);
    await limited(lab, { until: END });
    lab.whatsapp.setMessageFate(OTHER, 479);
    assert.equal(await send(lab, OTHER), 'refused');
  });

  test('after it was accepted leads to the question too', async (t) => {
    const { lab, phone } = await startLinked(t);
    phone.limit = {};
    lab.whatsapp.setMessageFate(OTHER, { later: 463 });
    assert.equal(await send(lab, OTHER), 'sent');
    await limited(lab, {});
  });

  test('is not unconfirmed if WhatsApp does not say why in time', async (t) => {
    const deadlines = messageDeadlines(t);
    const { lab, phone } = await startLinked(t, { timings: { send: SEND } });
    lab.whatsapp.setMessageFate(OTHER, 463);
    phone.limitAnswer = 'none';
    const sent = send(lab, OTHER);
    await until(() => phone.limitQueries === 2, 'the question');
    deadlines.at(-1)?.abort();
    assert.equal(await sent, 'refused');
  });
});

describe('a quota of new chats', () => {
  test('is reported when WhatsApp tells it, and when there is none any more', async (t) => {
    const { lab, phone } = await startLinked(t);
    phone.tellQuota({ used_quota: 3, total_quota: 50, capping_status: 'NONE' });
    phone.tellQuota({ used_quota: '4', total_quota: '50', capping_status: 'FIRST_WARNING' });
    for (const odd of [
      {},
      { used_quota: 5 },
      { used_quota: null, total_quota: 50 },
      { used_quota: '', total_quota: 50 },
      { used_quota: -2, total_quota: 50 },
      { used_quota: 1.5, total_quota: 50 },
      { used_quota: true, total_quota: 1e30 },
    ])
      phone.tellQuota(odd);
    phone.tellQuota({ used_quota: 0, total_quota: -1 });
    await until(() => signs(lab, 'quota').length >= 3, 'the quotas');
    assert.deepEqual(signs(lab, 'quota'), [
      { type: 'quota', quota: { used: 3, total: 50 } },
      { type: 'quota', quota: { used: 4, total: 50 } },
      { type: 'quota', quota: undefined },
    ]);
  });
});
