import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../src/wire.ts';
import { PHONE_FAULTS } from '../src/engines/simulated/faults.ts';
import { createSeeds, type Seed } from '../src/engines/simulated/seeds.ts';
import { call, listOf, NUMERO, startGateway } from './support/gateway.ts';
import { ManualClock } from './support/manual-clock.ts';

const isFaulty = ({ state, fault, reported }: Seed) =>
  fault !== undefined || reported !== undefined || state === 'waiting' || state === 'linking';

describe('the initial sessions', () => {
  test('are always the same, however many there are', () => {
    assert.deepEqual(createSeeds(60), createSeeds(60));
    assert.deepEqual(createSeeds(6), createSeeds(60).slice(0, 6));
  });

  test('have no faults while they are few', () => {
    const [first, ...others] = createSeeds(6);
    assert.equal(first?.state, 'connected');
    assert.deepEqual(
      others.map(({ state }) => state),
      ['qr', 'connected', 'disconnected', 'waiting', 'connected'],
    );
    assert.ok(createSeeds(6).every(({ fault, reported }) => !fault && !reported));
  });

  test('include twelve different faults and odd states in sixty', () => {
    const seeds = createSeeds(60).filter(isFaulty);
    assert.equal(seeds.length, 12);
    assert.equal(new Set(seeds.map(({ numero: _, ...condition }) => JSON.stringify(condition))).size, 12);
    // These two are held by a fault that they do not have: a start releases them.
    const heldUp = { waiting: 'no-code', linking: 'stuck' } as const;
    const met = new Set(
      seeds.map(({ state, fault }) => (state === 'waiting' || state === 'linking' ? heldUp[state] : fault)),
    );
    const unmet = PHONE_FAULTS.filter((fault) => !met.has(fault));
    // A session would not stay in the state that these begin with.
    assert.deepEqual(unmet, ['outdated', 'dead-keys']);
    const reports = seeds.map(({ reported }) => reported);
    for (const state of ['CONFLICT', 'UNPAIRED', 'TOS_BLOCK', 'HIBERNATING'] as const) {
      assert.ok(reports.includes(state), state);
    }
  });

  test('are mostly fine, however many there are', () => {
    const seeds = createSeeds(5_000);
    const connected = seeds.filter((seed) => seed.state === 'connected' && !isFaulty(seed)).length;
    assert.ok(connected > 3_400, `${connected} are connected`);
  });

  test('are listed with their faults', async (t) => {
    const sessions: Seed[] = [
      { numero: '1', state: 'linking' },
      { numero: '2', state: 'connected', reported: 'CONFLICT' },
      { numero: '3', state: 'disconnected', reported: 'UNPAIRED' },
      { numero: '4', state: 'connected', fault: 'slow-delete' },
    ];
    const gateway = await startGateway(t, { sessions });
    assert.deepEqual(await listOf(gateway), [
      { numero: '1', state: STATES.authenticating, waiting: false },
      { numero: '2', state: 'CONFLICT', waiting: false },
      { numero: '3', state: 'UNPAIRED', waiting: false },
      { numero: '4', state: STATES.connected, waiting: false },
    ]);
    assert.deepEqual(
      gateway.phones.list().map(({ fault, stalled, linked }) => [fault, stalled, linked]),
      [
        [null, true, true],
        [null, false, true],
        [null, false, false],
        ['slow-delete', false, true],
      ],
    );
  });

  test('that are held go on after a start, or once no fault at all is chosen', async (t) => {
    for (const state of ['waiting', 'linking'] as const) {
      const clock = new ManualClock();
      const gateway = await startGateway(t, { clock, sessions: [{ numero: NUMERO, state }] });
      const after = state === 'waiting' ? 'code' : 'connected';
      gateway.phones.setFault(NUMERO, 'failing-sends');
      assert.equal(gateway.phones.get(NUMERO)?.stalled, true);
      gateway.phones.setFault(NUMERO, null);
      assert.equal(gateway.phones.get(NUMERO)?.state, after);

      const again = await startGateway(t, { clock, sessions: [{ numero: NUMERO, state }] });
      await call(again, `/api/session/levanta/${NUMERO}`);
      clock.advance(1_000);
      assert.equal(again.phones.get(NUMERO)?.state, after);
    }
  });
});
