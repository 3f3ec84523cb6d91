import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SimulatedPhones } from '../src/engines/simulated/phones.ts';
import type { PhoneRefusal } from '../src/engines/simulated/refusals.ts';
import { memoryLedger } from '../src/ledger/sqlite.ts';
import type { EngineEvent } from '../src/sessions/engine.ts';
import { ManualClock } from './support/manual-clock.ts';

const NUMERO = '5215550001111';
const OTHER = '34600000001';

/** From a start to its first code, and how long all codes of a start live together. */
const START = 1_000;
const CODES = 160_000;

describe('a pairing code of a simulated session', () => {
  let clock: ManualClock;
  let phones: SimulatedPhones;
  let events: EngineEvent[];

  beforeEach(async () => {
    clock = new ManualClock();
    phones = new SimulatedPhones(clock, memoryLedger);
    await phones.restore(assert.fail);
    events = [];
    await start();
    clock.advance(START);
  });

  const types = () => events.map(({ type }) => type);
  const start = (numero = NUMERO) => phones.start(numero, (event) => events.push(event));
  const refuses = (typed: string, reason: PhoneRefusal, numero = NUMERO) =>
    assert.throws(() => phones.typeCode(numero, typed), { name: 'PhoneRefused', reason });

  test("has eight of WhatsApp's characters, and lives as long as the codes of this start", async () => {
    const pairing = await phones.pair(NUMERO);
    assert.match(pairing.code, /^[1-9A-HJ-NP-TV-Z]{8}$/);
    assert.equal(pairing.expires, clock.at(CODES));
    assert.deepEqual(events.at(-1), { type: 'pairing', pairing });
  });

  test('links the phone however it is typed', async () => {
    const { code } = await phones.pair(NUMERO);
    phones.typeCode(NUMERO, ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`);
    clock.advance(1_500);
    await turn();
    assert.deepEqual(types(), ['qr', 'pairing', 'pairing', 'authenticated', 'ready', 'name']);
    assert.deepEqual(events[2], { type: 'pairing', pairing: undefined });
    assert.equal(phones.get(NUMERO)?.linked, true);
  });

  test('is the same for who asks again while it can be typed', async () => {
    const pairing = await phones.pair(NUMERO);
    clock.advance(CODES - 60_000);
    assert.deepEqual(await phones.pair(NUMERO), pairing);
    assert.equal(types().filter((type) => type === 'pairing').length, 1);
  });

  test('is another, with new codes to scan, when there is no time left to type it', async () => {
    const first = await phones.pair(NUMERO);
    clock.advance(CODES - 59_999);
    const second = await phones.pair(NUMERO);
    assert.notEqual(second.code, first.code);
    assert.equal(second.expires, clock.at(CODES));
    assert.deepEqual(types().slice(-2), ['qr', 'pairing']);
    refuses(first.code, 'expired-pairing');

    clock.advance(CODES - 1);
    assert.equal(phones.get(NUMERO)?.state, 'code');
    clock.advance(1);
    assert.equal(phones.get(NUMERO)?.state, 'off');
  });

  test('lives for two minutes at least', async () => {
    clock.advance(40_000);
    assert.equal((await phones.pair(NUMERO)).expires, clock.at(120_000));
    await start(OTHER);
    clock.advance(START + 40_001);
    assert.equal((await phones.pair(OTHER)).expires, clock.at(CODES));
  });

  test('is over for the report of its start when the session is started again', async () => {
    const { code } = await phones.pair(NUMERO);
    const later: EngineEvent[] = [];
    await phones.start(NUMERO, (event) => later.push(event));
    assert.deepEqual(events.at(-1), { type: 'pairing', pairing: undefined });
    clock.advance(START);
    assert.deepEqual(
      later.map(({ type }) => type),
      ['qr'],
    );
    refuses(code, 'no-pairing');
  });

  test('of another number, or of none, is refused', async () => {
    refuses('ABCD1234', 'no-pairing');
    await start(OTHER);
    clock.advance(START);
    const { code } = await phones.pair(OTHER);
    refuses(code, 'foreign-pairing');
    const { code: own } = await phones.pair(NUMERO);
    refuses(code, 'foreign-pairing');
    refuses(own, 'foreign-pairing', OTHER);
    refuses(own.slice(1), 'wrong-pairing');
    refuses('', 'wrong-pairing');
    assert.equal(phones.get(NUMERO)?.linked, false);
  });

  test('needs a line', async () => {
    const { code } = await phones.pair(NUMERO);
    phones.typeCode(NUMERO, code);
    clock.advance(1_500);
    phones.phone(NUMERO).loseLine();
    phones.phone(NUMERO).logOut();
    await start();
    clock.advance(START);
    refuses((await phones.pair(NUMERO)).code, 'no-line');
  });

  test('is not given, nor taken, once no more codes follow', async () => {
    phones.setFault(NUMERO, 'stale-code');
    const { code } = await phones.pair(NUMERO);
    clock.advance(60_000);
    await assert.rejects(phones.pair(NUMERO), { name: 'NotPairable', reason: 'no-answer' });
    refuses(code, 'expired-pairing');

    clock.advance(CODES);
    phones.setFault(NUMERO, null);
    assert.deepEqual(events.slice(-2), [
      { type: 'pairing', pairing: undefined },
      { type: 'qr', code: phones.get(NUMERO)?.code, expires: clock.at(20_000) },
    ]);
  });
});
