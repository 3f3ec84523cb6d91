import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { BAN } from '../src/engines/simulated/endings.ts';
import { SimulatedPhones } from '../src/engines/simulated/phones.ts';
import type { PhoneRefusal } from '../src/engines/simulated/refusals.ts';
import { accountName, createSeeds, type Seed } from '../src/engines/simulated/seeds.ts';
import { memoryLedger } from '../src/ledger/sqlite.ts';
import type { EngineEvent } from '../src/sessions/engine.ts';
import { ManualClock } from './support/manual-clock.ts';

const NUMERO = '5215550001111';
const FRIEND = '34600000001';

describe('the account of a simulated phone', () => {
  let clock: ManualClock;
  let phones: SimulatedPhones;
  let events: EngineEvent[];

  /** Restores a session in this state, and forgets what it reported so far. */
  const begin = async (state: 'connected' | 'qr', ...others: Seed[]) => {
    clock = new ManualClock();
    phones = new SimulatedPhones(clock, memoryLedger, [{ numero: NUMERO, state }, ...others]);
    events = [];
    await phones.restore(() => (event) => events.push(event));
  };
  const start = () => phones.start(NUMERO, (event) => events.push(event));
  const phone = () => phones.get(NUMERO) ?? assert.fail('there is no phone');
  const refuses = (act: () => void, reason: PhoneRefusal) =>
    assert.throws(act, { name: 'PhoneRefused', reason });

  describe('has a name', () => {
    test('that is reported when it is connected', async () => {
      await begin('connected');
      assert.deepEqual(events, [{ type: 'ready' }, { type: 'name', name: accountName(NUMERO) }]);
    });

    test('of two words, the same for all forms of the number, and not the same for all numbers', () => {
      assert.match(accountName(NUMERO), /^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u);
      assert.equal(accountName('+52 1 555 000 1111'), accountName(NUMERO));
      const names = new Set(createSeeds(200).map(({ numero }) => accountName(numero)));
      assert.ok(names.size > 20, `${names.size} names`);
    });
  });

  describe('ends its session', () => {
    beforeEach(() => begin('connected'));

    test('when its owner removes the device, or WhatsApp ends it', async () => {
      phones.phone(NUMERO).logOut();
      assert.deepEqual(events.at(-1), { type: 'disconnected', reason: 'device-removed' });
      assert.equal(phone().linked, false);
      await begin('connected');
      phones.phone(NUMERO).logOut('logged-out');
      assert.deepEqual(events.at(-1), { type: 'disconnected', reason: 'logged-out' });
      assert.equal(phone().linked, false);
    });

    test('when it is opened elsewhere, and stays linked', async () => {
      phones.phone(NUMERO).logOut('replaced');
      assert.deepEqual(events.at(-1), { type: 'stopped', reason: 'replaced' });
      assert.equal(phone().linked, true);
      await start();
      clock.advance(1_000);
      assert.deepEqual(events.at(-2), { type: 'ready' });
    });

    test('only in a state in which that can happen', async () => {
      for (const ending of ['passkey', 'other-number'] as const) {
        refuses(() => phones.phone(NUMERO).logOut(ending), 'already-linked');
      }
      await begin('qr');
      for (const ending of ['device-removed', 'logged-out', 'restricted'] as const) {
        refuses(() => phones.phone(NUMERO).logOut(ending), 'not-linked');
      }
      for (const ending of ['replaced', 'banned'] as const) {
        refuses(() => phones.phone(NUMERO).logOut(ending), 'not-connected');
      }
      clock.advance(160_000);
      refuses(() => phones.phone(NUMERO).logOut('passkey'), 'no-code');
    });
  });

  describe('that is banned', () => {
    beforeEach(async () => {
      await begin('connected');
      phones.phone(NUMERO).logOut('banned');
    });

    test('waits, and connects by itself when the ban is over', () => {
      assert.deepEqual(events.at(-1), { type: 'delayed', reason: 'banned', until: clock.at(BAN) });
      assert.equal(phone().bannedUntil, clock.at(BAN));
      clock.advance(BAN - 1);
      assert.equal(events.at(-1)?.type, 'delayed');
      clock.advance(1 + 1_000);
      assert.deepEqual(events.at(-2), { type: 'ready' });
      assert.equal(phone().bannedUntil, null);
    });

    test('waits as long when it is started again', async () => {
      const until = clock.at(BAN);
      await start();
      clock.advance(1_000);
      assert.deepEqual(events.at(-1), { type: 'delayed', reason: 'banned', until });
      clock.advance(BAN);
      assert.deepEqual(events.at(-2), { type: 'ready' });
    });

    test('is forgotten once it is unlinked, and leaves no timer at the end', async () => {
      await phones.unlink(NUMERO);
      assert.equal(phone().bannedUntil, null);
      assert.equal(clock.pending, 0);

      await begin('connected');
      phones.phone(NUMERO).logOut('banned');
      await phones.close();
      assert.equal(clock.pending, 0);
    });
  });

  describe('acknowledges a message', () => {
    let acks: string[];

    beforeEach(async () => {
      await begin('connected', { numero: FRIEND, state: 'connected' });
      acks = [];
    });

    const send = (text = 'Hola', to = NUMERO) =>
      phones.send(FRIEND, to, text, (ack) => acks.push(`${text}: ${ack}`));

    test('once its line is back', async () => {
      phones.phone(NUMERO).loseLine();
      await send();
      await turn();
      assert.deepEqual(acks, []);
      refuses(() => phones.phone(NUMERO).read(), 'no-line');
      phones.phone(NUMERO).recoverLine();
      await turn();
      assert.deepEqual(acks, ['Hola: device']);
    });

    test('as read once, with those that came before it', async () => {
      refuses(() => phones.phone(NUMERO).read(), 'nothing-unread');
      await send('uno');
      await send('dos');
      phones.phone(NUMERO).read();
      refuses(() => phones.phone(NUMERO).read(), 'nothing-unread');
      await send('tres');
      await turn();
      assert.deepEqual(acks, ['uno: device', 'dos: device', 'uno: read', 'dos: read', 'tres: device']);
      assert.deepEqual(
        phone().messages.map(({ read }) => read),
        [true, true, false],
      );
    });

    test('also without a session', async () => {
      await send('Hola', '5731000000001');
      phones.phone('5731000000001').read();
      await turn();
      assert.deepEqual(acks, ['Hola: device', 'Hola: read']);
    });

    test('never, if it was not sent', async () => {
      phones.setFault(NUMERO, 'failing-sends');
      await phones.send(NUMERO, FRIEND, 'Hola', (ack) => acks.push(ack));
      await turn();
      assert.deepEqual(acks, []);
    });
  });
});
