import { withCode } from './proofs/with-code.ts';
import { proofTest } from './support/proof-test.ts';

proofTest('a session that showed a code when its owner died shows none unasked', withCode);
