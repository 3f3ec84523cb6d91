import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { createCode } from '../src/engines/simulated/codes.ts';
import type { PhoneRefusal } from '../src/engines/simulated/refusals.ts';
import { SimulatedPhone } from '../src/engines/simulated/simulated-phone.ts';
import type { EngineEvent } from '../src/sessions/engine.ts';
import { ManualClock } from './support/manual-clock.ts';

const acked = () => {};

describe('a simulated phone', () => {
  let clock: ManualClock;
  let phone: SimulatedPhone;
  let events: EngineEvent[];

  beforeEach(() => {
    clock = new ManualClock();
    phone = new SimulatedPhone('5215550001111', clock, () => {});
    events = [];
  });

  const types = (mark = 0) => events.slice(mark).map(({ type }) => type);
  const start = () => phone.session.start((event) => events.push(event));
  const code = () => phone.record.code ?? assert.fail('there is no code to scan');
  const link = () => {
    start();
    clock.advance(1_000);
    phone.scan(code());
    clock.advance(1_500);
  };
  const refuses = (act: () => void, reason: PhoneRefusal) =>
    assert.throws(act, { name: 'PhoneRefused', reason });

  test('shows six codes, at 0, 60, 80, 100, 120 and 140 seconds, tells the end of each, and gives up at 160', () => {
    start();
    clock.advance(999);
    assert.equal(events.length, 0);
    clock.advance(1);

    for (const life of [60_000, 20_000, 20_000, 20_000, 20_000, 20_000]) {
      const shown: number = events.length;
      const told = events.at(-1);
      assert.equal(told?.type === 'qr' && told.expires, clock.at(life));
      clock.advance(life - 1);
      assert.equal(events.length, shown);
      clock.advance(1);
      assert.equal(events.length, shown + 1);
    }
    assert.deepEqual(types(), ['qr', 'qr', 'qr', 'qr', 'qr', 'qr', 'qr_timeout']);
    const codes = events.flatMap((event) => (event.type === 'qr' ? [event.code] : []));
    assert.equal(new Set(codes).size, 6);
    assert.equal(phone.record.code, null);
    assert.equal(phone.record.state, 'off');
    assert.equal(clock.pending, 0);
  });

  test("shows codes in WhatsApp's format", () => {
    const text = createCode();
    const fields = text.replace(/^2@/, '').split(',');

    assert.match(text, /^2@/);
    assert.ok(text.length >= 235 && text.length <= 245, `${text.length} characters`);
    assert.equal(fields.length, 4);
    for (const field of fields) assert.equal(Buffer.from(field, 'base64').toString('base64'), field);
  });

  test('receives messages that were sent while it was offline once it is online', () => {
    link();
    phone.loseLine();
    phone.receive({ text: 'hola', from: '34600000001', at: Date.now(), acked });
    assert.deepEqual(phone.record.messages, []);
    phone.recoverLine();
    assert.deepEqual(
      phone.record.messages.map(({ text }) => text),
      ['hola'],
    );
  });

  test('refuses an expired code, a foreign one, and any when none is shown', () => {
    refuses(() => phone.scan(createCode()), 'no-code');
    start();
    clock.advance(1_000);
    const first = code();
    clock.advance(60_000);

    refuses(() => phone.scan(first), 'expired-code');
    refuses(() => phone.scan(createCode()), 'foreign-code');
    assert.equal(phone.record.linked, false);

    clock.advance(100_000);
    refuses(() => phone.scan(first), 'expired-code');
    assert.equal(events.at(-1)?.type, 'qr_timeout');
  });

  test('unlinked without a line, does not scan until it has one', () => {
    link();
    phone.loseLine();
    phone.logOut('logged-out');
    start();
    clock.advance(1_000);
    refuses(() => phone.scan(code()), 'no-line');
    phone.recoverLine();
    phone.scan(code());
    assert.equal(events.at(-1)?.type, 'authenticated');
  });

  test('refuses what makes no sense in its state', () => {
    refuses(() => phone.logOut('logged-out'), 'not-linked');
    refuses(() => phone.loseLine(), 'not-connected');
    refuses(() => phone.recoverLine(), 'has-line');
    start();
    clock.advance(1_000);
    const scanned = code();
    phone.scan(scanned);
    refuses(() => phone.scan(scanned), 'already-linked');
    clock.advance(1_500);
    phone.loseLine();
    refuses(() => phone.loseLine(), 'no-line');
  });

  test('keeps the last fifty messages', () => {
    for (let at = 1; at <= 60; at++) phone.receive({ text: `n.º ${at}`, from: '1', at, acked });
    const { messages } = phone.record;
    assert.equal(messages.length, 50);
    assert.equal(messages[0]?.at, 11);
    assert.equal(messages.at(-1)?.at, 60);
  });
});
