import { readdirSync } from 'node:fs';
import { mutants } from './stryker.mjs';

const TESTS = 'test/store';

/** The panel without a page: what it makes of the server's answers and pushes. */
export default mutants(
  'panel',
  ['src/server/*.ts', 'src/session/*.ts'],
  readdirSync(TESTS)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${TESTS}/${name}`),
);
