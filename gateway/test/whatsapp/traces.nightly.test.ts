import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { Random } from '../../../test/attack/random.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type Library, loadLibrary } from '../../src/engines/whatsapp/library.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/sqlite.ts';
import { Devices } from './support/devices.ts';
import { filesWith } from './support/raw-files.ts';

const SESSIONS = 60;
const SETS = 2_500;

let library: Library;

before(async () => {
  library = await loadLibrary();
});

const numeroOf = (index: number) => String(5215550000000 + index);
/** A marker that every key of the session contains. */
const markOf = (numero: string) => `key-of-${numero.slice(-4)}-`;

async function add(store: Ledger, devices: Devices, numero: string): Promise<void> {
  await store.add(numero);
  const credentials = devices.get(numero);
  credentials.auth.creds.me = { id: `${numero}:1@s.whatsapp.net` };
  credentials.auth.creds.account = {};
  await credentials.save();
}

/** Writes keys of many sizes to many sessions and deletes some, so that SQLite rearranges its pages. */
async function fill(devices: Devices, random: Random, numeros: readonly string[]): Promise<void> {
  for (let set = 0; set < SETS; set++) {
    const numero = random.pick(numeros);
    const entries = Array.from({ length: random.integer(1, 4) }, () => {
      const text = markOf(numero).repeat(random.integer(1, random.pick([4, 40, 400])));
      return [random.integer(1, 400), random.chance(0.3) ? null : [text]];
    });
    await devices.get(numero).auth.keys.set({ 'device-list': Object.fromEntries(entries) });
    if (random.chance(0.05)) await devices.get(numero).save();
  }
}

describe('deleted data', () => {
  test('cannot be found in the raw files, whichever pages it was on', async (t) => {
    const folder = join(temporaryFolder(), 'data');
    const random = new Random(1);
    const store = await openLedger(folder, assert.fail);
    const devices = new Devices(store, library, assert.fail);
    t.after(() => store.close());
    const numeros = Array.from({ length: SESSIONS }, (_, index) => numeroOf(index));
    for (const numero of numeros) await add(store, devices, numero);
    await fill(devices, random, numeros);

    const left: string[] = [];
    while (numeros.length > 0) {
      const [numero = ''] = numeros.splice(random.integer(0, numeros.length - 1), 1);
      const revoked = random.chance(0.3);
      if (revoked) await devices.erase(numero);
      else await devices.remove(numero);
      for (const file of filesWith(folder, markOf(numero))) left.push(`keys of ${numero} in ${file}`);
      if (revoked) await devices.remove(numero);
      for (const file of filesWith(folder, numero)) left.push(`${numero} in ${file}`);
      if (random.chance(0.3)) {
        const other = numeroOf(SESSIONS + numeros.length);
        await add(store, devices, other);
        await devices.remove(other);
        for (const file of filesWith(folder, other)) left.push(`${other} in ${file}`);
      }
    }
    assert.deepEqual(left, []);
  });
});
