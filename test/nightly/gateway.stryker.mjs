import { mutants } from './stryker.mjs';

/** The parts of the gateway that tests run in their own process, without a database and without a network. */
export default mutants(
  'gateway',
  [
    'gateway/src/cluster/{balance,row-reader,shares}.ts',
    'gateway/src/sessions/{batch,history-writer,observed-engine,recall,state-kinds,transitions,work-queue}.ts',
  ],
  [
    'gateway/test/cluster/balance.test.ts',
    'gateway/test/cluster/row-reader.test.ts',
    'gateway/test/cluster/shares.test.ts',
    'gateway/test/codes.test.ts',
    'gateway/test/history-writer.test.ts',
    'gateway/test/order.test.ts',
    'gateway/test/recall.test.ts',
    'gateway/test/simulated-pairing.test.ts',
    'gateway/test/transitions.test.ts',
  ],
);
