/**
 * `npm run attack`: runs every attack, or the named ones, round after round with fresh seeds. Prints a figure for each,
 * and the command that repeats a failed round.
 *
 *   npm run attack                           an hour in all
 *   npm run attack -- --minutes 5 kills      five minutes of one
 *   npm run attack -- kills --seed 7         one round with that seed
 */
import { parseArgs } from 'node:util';
import type { Attack, Figures } from './attack.ts';
import { ATTACKS } from './attacks.ts';
import { Random } from './random.ts';

/** Milliseconds after which a round counts as hanging. */
const LONGEST_ROUND = 10 * 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? undefined : Number(values.seed);
if (!(minutes > 0)) fail(`--minutes takes a number above 0, not '${values.minutes}'.`);
if (seed !== undefined && !Number.isSafeInteger(seed)) fail(`--seed takes an integer, not '${values.seed}'.`);
const names = ATTACKS.map(({ name }) => name);
const unknown = positionals.find((name) => !names.includes(name));
if (unknown !== undefined) fail(`There is no attack '${unknown}': there are ${names.join(', ')}.`);
const chosen = ATTACKS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

let found = 0;
for (const attack of chosen) found += await repeat(attack, (minutes * 60_000) / chosen.length);
// Libraries leave timers behind that would keep the process alive.
process.exit(found > 0 ? 1 : 0);

/** Runs rounds until the time is up, or the one with the given seed; returns how many failed. */
async function repeat(attack: Attack, time: number): Promise<number> {
  const end = performance.now() + time;
  const sums = new Map<string, number>();
  let rounds = 0;
  let findings = 0;
  do {
    const random = new Random(seed ?? Math.floor(Math.random() * 2 ** 31));
    rounds += 1;
    try {
      for (const [what, count] of Object.entries(await play(attack, random, end - performance.now()))) {
        sums.set(what, (sums.get(what) ?? 0) + count);
      }
    } catch (error) {
      findings += 1;
      console.error(`${attack.name}: npm run attack -- ${attack.name} --seed ${random.seed}\n`, error);
    }
  } while (seed === undefined && performance.now() < end);
  const counts = [...sums].map(([what, count]) => `${count.toLocaleString('en')} ${what}`);
  console.log(`${attack.name}: ${[`${rounds} rounds`, ...counts, `${findings} found`].join(', ')}`);
  return findings;
}

async function play(attack: Attack, random: Random, time: number): Promise<Figures> {
  const cleanups: (() => unknown)[] = [];
  const hung = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The round does not end')), LONGEST_ROUND);
    cleanups.push(() => clearTimeout(timer));
  });
  try {
    return await Promise.race([attack.round({ after: (task) => cleanups.push(task) }, random, time), hung]);
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
