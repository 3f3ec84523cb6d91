import { mutants } from './stryker.mjs';

/** The parts of the gateway that tests run in their own process, without a database and without a network. */
export default mutants(
  'gateway',
  [
    'gateway/src/cluster/{balance,row-reader}.ts',
    'gateway/src/sessions/{history-writer,outages,recall,state-kinds,transitions}.ts',
  ],
  [
    'gateway/test/cluster/{balance,row-reader,shares}.test.ts',
    'gateway/test/{history-writer,order,recall,simulated-pairing,stability,state-kinds,transitions}.test.ts',
  ],
);
