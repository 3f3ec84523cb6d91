import { mutants } from './stryker.mjs';

const CLUSTER = 'gateway/src/cluster';
const SESSIONS = 'gateway/src/sessions';

/** Those parts of the gateway that tests run in their own process, without a database and without a network. */
export default mutants('gateway', [`${CLUSTER}/{balance,row-reader,shares}.ts`, `${SESSIONS}/{recall}.ts`], [
  'gateway/test/cluster/balance.test.ts',
]);
