import { deleted } from './proofs/deleted.ts';
import { withCode } from './proofs/with-code.ts';
import { proofTest } from './support/proof-test.ts';

proofTest(
  'a deletion that its owner did not live to finish is finished by another gateway after its lease',
  deleted,
  {
    numeros: 3,
  },
);
proofTest('a session that showed a code when its owner died shows none unasked after its lease', withCode);
