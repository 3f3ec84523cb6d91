import { mutants } from './stryker.mjs';

/** The panel without a page: what it makes of the server's answers and pushes. */
export default mutants(
  'panel',
  ['src/server/*.ts', 'src/session/*.ts', 'src/store/*.ts'],
  ['test/store/*.test.ts'],
);
