import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SimulatedPhones } from '../src/engines/simulated/phones.ts';
import { memoryLedger } from '../src/ledger/memory.ts';
import type { EngineEvent, Pairing, Report } from '../src/sessions/engine.ts';
import { ObservedEngine } from '../src/sessions/observed-engine.ts';
import { ManualClock } from './support/manual-clock.ts';

const NUMERO = '5215550001111';
const ODD = { type: 'delayed', reason: 'odd-code' };

/** Reports what the test says, and gives the codes to type that it has. */
class OddPhones extends SimulatedPhones {
  told: Report = () => {};
  code = '';
  override async start(_numero: string, report: Report): Promise<void> {
    this.told = report;
  }
  override async pair(): Promise<Pairing> {
    const pairing = { code: this.code, expires: Date.now() + 60_000 };
    this.told({ type: 'pairing', pairing });
    return pairing;
  }
}

async function start() {
  const phones = new OddPhones(new ManualClock(), async () => memoryLedger());
  const engine = new ObservedEngine(phones, () => {});
  const events: EngineEvent[] = [];
  await engine.start(NUMERO, (event) => events.push(event));
  return { phones, engine, events };
}

const qr = (code: string): EngineEvent => ({ type: 'qr', code });

describe('a code to scan that cannot be shown', () => {
  for (const [what, code] of [
    ['with a NUL', '2@a\0b'],
    ['with a line break', '2@a\nb'],
    ['with a letter of two bytes', '2@ñ'],
    ['that is empty', ''],
    ['that is longer than any QR code', '2'.repeat(2_954)],
  ] as const) {
    test(`${what} is a delay, until one comes that can be`, async () => {
      const { phones, events } = await start();
      phones.told(qr(code));
      phones.told(qr('2@a'));
      assert.deepEqual(events, [ODD, qr('2@a')]);
    });
  }

  test('is logged once, and once more after another one', async () => {
    const { phones, events } = await start();
    for (const code of ['\0', '\0\0', '2@a', '\0']) phones.told(qr(code));
    assert.deepEqual(events, [ODD, qr('2@a'), ODD]);
  });
});

test('the longest code that a QR code can hold is shown', async () => {
  const { phones, events } = await start();
  const longest = qr('2'.repeat(2_953));
  phones.told(longest);
  assert.deepEqual(events, [longest]);
});

test('a code to type that cannot be shown is none', async () => {
  const { phones, engine, events } = await start();
  for (const code of ['AAAA\x001111', '', 'A'.repeat(1_000_000)]) {
    phones.code = code;
    await assert.rejects(engine.pair(NUMERO), { name: 'NotPairable', reason: 'refused' });
  }
  assert.deepEqual(events, []);
  phones.code = 'AAAA1111';
  assert.equal((await engine.pair(NUMERO)).code, 'AAAA1111');
});
