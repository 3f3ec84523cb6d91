import { claimed } from './proofs/claimed.ts';
import { fenced } from './proofs/fenced.ts';
import { proofTest } from './support/proof-test.ts';

proofTest('two gateways that claim at once never get the same session', claimed);
proofTest('nothing lands that a gateway writes after it lost a session', fenced);
