import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { RESTRICTION } from '../src/engines/simulated/faults.ts';
import { SimulatedPhones } from '../src/engines/simulated/phones.ts';
import type { PhoneRefusal } from '../src/engines/simulated/refusals.ts';
import type { Seed } from '../src/engines/simulated/seeds.ts';
import { memoryLedger } from '../src/ledger/sqlite.ts';
import type { EngineEvent } from '../src/sessions/engine.ts';
import { ManualClock } from './support/manual-clock.ts';

const NUMERO = '5215550001111';
const FRIEND = '34600000001';
const STRANGER = '34600000002';
const MINUTE = 60_000;
const SIGNAL: EngineEvent = { type: 'signal' };
const FREE: readonly EngineEvent[] = [
  { type: 'limited', limit: undefined },
  { type: 'quota', quota: undefined },
];

describe('what WhatsApp does to a simulated session', () => {
  let clock: ManualClock;
  let phones: SimulatedPhones;
  let events: EngineEvent[];

  /** Restores a session in this state beside a connected friend, and forgets what it reported so far. */
  const begin = async (seed: Omit<Seed, 'numero'>) => {
    clock = new ManualClock();
    const seeds: Seed[] = [
      { numero: NUMERO, ...seed },
      { numero: FRIEND, state: 'connected' },
    ];
    phones = new SimulatedPhones(clock, memoryLedger, seeds);
    events = [];
    await phones.restore((numero) => (event) => void (numero === NUMERO && events.push(event)));
    if (!seed.fault) events = [];
  };
  const start = () => phones.start(NUMERO, (event) => events.push(event));
  const phone = () => phones.get(NUMERO) ?? assert.fail('there is no phone');
  const write = (to: string) => phones.send(NUMERO, to, 'Hola');
  const refuses = (act: () => void, reason: PhoneRefusal) =>
    assert.throws(act, { name: 'PhoneRefused', reason });

  describe('signals', () => {
    beforeEach(() => begin({ state: 'connected' }));

    test('are reported for messages, receipts and probes, at most once a minute', async () => {
      assert.equal(await phones.probe(NUMERO), true);
      assert.deepEqual(events, [SIGNAL]);
      clock.advance(MINUTE - 1);
      await write(FRIEND);
      assert.equal(events.length, 1);
      clock.advance(1);
      await write(FRIEND);
      assert.deepEqual(events, [SIGNAL, SIGNAL]);
      clock.advance(MINUTE);
      phones.phone(FRIEND).read();
      assert.equal(events.length, 3);
    });

    test('come only while the session is connected', async () => {
      phones.phone(NUMERO).loseLine();
      events = [];
      assert.equal(await phones.probe(NUMERO), false);
      assert.equal(await phones.probe(STRANGER), false);
      assert.deepEqual(events, []);
    });
  });

  describe('restricted', () => {
    const limited = (): EngineEvent[] => [
      { type: 'limited', limit: { until: clock.at(RESTRICTION) } },
      { type: 'quota', quota: { used: 100, total: 100 } },
    ];

    beforeEach(() => begin({ state: 'connected' }));

    test('lasts an hour, in which the session stays connected', () => {
      phones.setFault(NUMERO, 'restricted');
      assert.deepEqual(events, limited());
      assert.equal(phone().restrictedUntil, clock.at(RESTRICTION));
      clock.advance(RESTRICTION - 1);
      assert.equal(phone().state, 'connected');
      assert.equal(events.length, 2);
      clock.advance(1);
      assert.deepEqual(events.slice(2), FREE);
      assert.equal(phone().fault, null);
      assert.equal(phone().restrictedUntil, null);
    });

    test('ends when it is removed, and leaves no timer', async () => {
      phones.setFault(NUMERO, 'restricted');
      phones.setFault(NUMERO, null);
      assert.deepEqual(events.slice(2), FREE);
      assert.equal(clock.pending, 0);
      phones.setFault(NUMERO, 'restricted');
      await phones.close();
      assert.equal(clock.pending, 0);
    });

    test('refuses messages to those who never exchanged one with the session', async () => {
      const writer = '+34 600 000 003';
      await phones.start(writer, () => {});
      clock.advance(1_000);
      phones.phone(writer).scan(phones.get(writer)?.code ?? '');
      clock.advance(1_500);
      await phones.send(writer, NUMERO, 'Hola');
      await write(FRIEND);
      phones.setFault(NUMERO, 'restricted');
      assert.equal(await write(FRIEND), 'sent');
      assert.equal(await write('34600000003'), 'sent');
      assert.equal(await write(STRANGER), 'restricted');
      assert.equal(phones.get(STRANGER), undefined);
      phones.setFault(NUMERO, null);
      assert.equal(await write(STRANGER), 'sent');
    });

    test('is reported once the session is connected', async () => {
      await begin({ state: 'disconnected' });
      phones.setFault(NUMERO, 'restricted');
      assert.deepEqual(events, []);
      const until = clock.at(RESTRICTION);
      await start();
      clock.advance(1_000);
      phones.phone(NUMERO).scan(phone().code ?? '');
      clock.advance(1_500);
      // Reports wait until the link is written.
      await turn();
      assert.deepEqual(events.at(-2), { type: 'limited', limit: { until } });

      await begin({ state: 'connected', fault: 'restricted' });
      assert.deepEqual(events.slice(2), limited());
    });
  });

  describe('a zombie', () => {
    beforeEach(() => begin({ state: 'connected' }));

    test('stays connected, but nothing is answered until the fault is removed', async () => {
      const acks: string[] = [];
      await phones.send(NUMERO, FRIEND, 'Hola', (ack) => acks.push(ack));
      await turn();
      clock.advance(MINUTE);
      events = [];
      phones.setFault(NUMERO, 'zombie');
      assert.equal(await phones.probe(NUMERO), false);
      assert.equal(await write(FRIEND), 'no-answer');
      phones.phone(FRIEND).read();
      await turn();
      assert.deepEqual(acks, ['device']);
      assert.equal(phone().state, 'connected');
      assert.deepEqual(events, []);

      phones.setFault(NUMERO, null);
      assert.deepEqual(events, [SIGNAL]);
      assert.equal(await phones.probe(NUMERO), true);
      assert.equal(await write(FRIEND), 'sent');
    });

    test('lives again after a start', async () => {
      phones.setFault(NUMERO, 'zombie');
      await start();
      clock.advance(1_000);
      assert.equal(phone().fault, null);
      assert.equal(await phones.probe(NUMERO), true);
    });
  });

  describe('outdated', () => {
    beforeEach(async () => {
      await begin({ state: 'qr' });
      phones.setFault(NUMERO, 'outdated');
    });

    test('refuses to link, until the fault is removed', async () => {
      const { code } = await phones.pair(NUMERO);
      refuses(() => phones.phone(NUMERO).scan(phone().code ?? ''), 'outdated');
      refuses(() => phones.typeCode(NUMERO, code), 'outdated');
      assert.equal(phone().linked, false);
      phones.setFault(NUMERO, null);
      phones.phone(NUMERO).scan(phone().code ?? '');
      assert.equal(phone().linked, true);
    });

    test('is the reason when the codes run out', () => {
      clock.advance(160_000);
      assert.deepEqual(events.at(-1), { type: 'qr_timeout', reason: 'outdated' });
    });
  });

  describe('dead keys', () => {
    const REFUSED: EngineEvent = { type: 'delayed', reason: 'dead-keys' };

    beforeEach(async () => {
      await begin({ state: 'connected' });
      phones.setFault(NUMERO, 'dead-keys');
    });

    test('drop the connection, and refuse each login until the fault is removed', () => {
      assert.deepEqual(events, [{ type: 'state', state: 'OPENING' }]);
      clock.advance(1_000);
      assert.deepEqual(events.slice(1), [REFUSED]);
      assert.equal(phone().stalled, true);
      assert.equal(phone().linked, true);
      phones.setFault(NUMERO, null);
      assert.deepEqual(events[2], { type: 'ready' });
    });

    test('are erased by the next start, which shows a code', async () => {
      clock.advance(1_000);
      events = [];
      await start();
      clock.advance(1_000);
      await turn();
      assert.deepEqual(
        events.map(({ type }) => type),
        ['qr'],
      );
      assert.equal(phone().linked, false);
      phones.phone(NUMERO).scan(phone().code ?? '');
      clock.advance(1_500);
      assert.equal(phone().state, 'connected');
    });

    test('refuse a phone that has just been linked', async () => {
      await begin({ state: 'qr' });
      phones.setFault(NUMERO, 'dead-keys');
      phones.phone(NUMERO).scan(phone().code ?? '');
      clock.advance(1_500);
      await turn();
      assert.deepEqual(events.slice(-2), [{ type: 'authenticated' }, REFUSED]);
    });
  });
});
