/**
 * `npm run cluster`: shows that gateways on one PostgreSQL keep their guarantees under a kind of fault, and prints the
 * figures. Ends with 1 if one does not.
 *
 *   npm run cluster                              every fault once
 *   npm run cluster -- killed --rounds 10        ten owners killed, one after the other
 *   npm run cluster -- killed frozen --seed 7    the choices of that seed
 *   npm run cluster -- chaos --minutes 60        random faults for an hour
 */
import { parseArgs } from 'node:util';
import { Random } from '../../../test/attack/random.ts';
import { alone } from './proofs/alone.ts';
import { calls } from './proofs/calls.ts';
import { chaos } from './proofs/chaos.ts';
import { claimed } from './proofs/claimed.ts';
import { clocks } from './proofs/clocks.ts';
import { cutOff } from './proofs/cut-off.ts';
import { away, promoted, restarted } from './proofs/database.ts';
import { deleted } from './proofs/deleted.ts';
import { fenced } from './proofs/fenced.ts';
import { frozen, suspended } from './proofs/frozen.ts';
import { killed } from './proofs/killed.ts';
import { notified } from './proofs/notified.ts';
import { order } from './proofs/order.ts';
import type { Proof } from './proofs/proof.ts';
import { stopped } from './proofs/stopped.ts';
import { unnotified } from './proofs/unnotified.ts';
import { withCode } from './proofs/with-code.ts';

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1' },
    numeros: { type: 'string', default: '30' },
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string' },
  },
  allowPositionals: true,
});
const [rounds, numeros, minutes] = [values.rounds, values.numeros, values.minutes].map(Number);

const PROOFS: Readonly<Record<string, Proof>> = {
  alone,
  claimed,
  fenced,
  order,
  calls,
  'with-code': withCode,
  deleted,
  stopped,
  killed,
  notified,
  frozen,
  suspended,
  'cut-off': cutOff,
  unnotified,
  restarted,
  away,
  promoted,
  clocks,
  chaos: (scope, options) => chaos(scope, { ...options, minutes: minutes ?? 5, print: console.log }),
};

const names = positionals.length > 0 ? positionals : Object.keys(PROOFS);
const unknown = names.find((name) => !Object.hasOwn(PROOFS, name));
if (unknown !== undefined) {
  console.error(`There is no '${unknown}': name one of ${Object.keys(PROOFS).join(', ')}.`);
  process.exit(2);
}
for (const name of names) {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  const tasks: (() => unknown)[] = [];
  const scope = { after: (task: () => unknown) => void tasks.push(task) };
  try {
    const figures = await PROOFS[name]?.(scope, {
      rounds: rounds ?? 1,
      numeros: numeros ?? 30,
      random: new Random(seed),
    });
    console.log(`${name}: ${figures}`);
  } catch (error) {
    console.error(`${name}: npm run cluster -- ${name} --seed ${seed}\n`, error);
    process.exitCode = 1;
  } finally {
    for (const task of tasks) await task();
  }
}
// Timers of the client library in the phones.
process.exit();
