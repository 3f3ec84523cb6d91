/** One round of each attack; `npm run attack` runs many, with other seeds. */
import { describe, test } from 'node:test';
import { ATTACKS } from './attacks.ts';
import { Random } from './random.ts';

const SEED = 1;

describe('under attack', () => {
  for (const attack of ATTACKS) {
    test(`by ${attack.name}, ${attack.promise}`, async (t) => {
      const figures = await attack.round(t, new Random(SEED), 0);
      t.diagnostic(JSON.stringify(figures));
    });
  }
});
