/**
 * Measures the panel against the floor: `npm run bench`, or with `-- --quick` in under three minutes. `--plain` measures both on
 * a server of the plain contract.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Bench } from './browser.ts';
import type { Measure } from './comparison.ts';
import { describeMachine } from './machine.ts';
import { heap } from './measures/heap.ts';
import { lean } from './measures/lean.ts';
import { navigation } from './measures/navigation.ts';
import { push } from './measures/push.ts';
import { pushCost } from './measures/push-cost.ts';
import { reach } from './measures/reach.ts';
import { scroll } from './measures/scroll.ts';
import { search } from './measures/search.ts';
import { single } from './measures/single.ts';
import { size } from './measures/size.ts';
import { storm } from './measures/storm.ts';
import { isMet, type Row, ratioOf } from './row.ts';
import { Gateways } from './server/gateways.ts';
import { notes, table } from './table.ts';

const MEASURES: Readonly<Record<string, Measure>> = {
  size,
  reach,
  navigation,
  lean,
  single,
  push,
  pushCost,
  storm,
  search,
  heap,
  scroll,
};

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    plain: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
  },
});
const { quick, plain, only = Object.keys(MEASURES) } = values;
const bench = await Bench.launch();
const gateways = new Gateways(plain);
try {
  const rows: Row[] = [];
  for (const name of only) {
    const begun = performance.now();
    const measure = MEASURES[name];
    if (!measure)
      throw new Error(`There is no measure ${name}: there are ${Object.keys(MEASURES).join(', ')}`);
    rows.push(...(await measure({ bench, gateways, quick, rounds: quick ? 2 : 5 })));
    console.error(`${name}: ${Math.round((performance.now() - begun) / 1000)} s`);
  }
  const browser = (await bench.version()).replace(/^.*\//, 'headless Chromium ');
  const contract = plain ? 'the plain contract' : 'all extensions';
  const machine = `${describeMachine()}, ${browser}; ${contract}`;
  console.log([table(rows), notes(rows), machine].filter((part) => part !== '').join('\n\n'));
  const results = rows.map((row) => ({ ...row, ratio: ratioOf(row), met: isMet(row) }));
  const file = new URL('results.json', import.meta.url);
  await writeFile(file, `${JSON.stringify({ machine, quick, plain, results }, null, 2)}\n`);
} finally {
  gateways.close();
  await bench.close();
}
