import { stopped } from './proofs/stopped.ts';
import { proofTest } from './support/proof-test.ts';

proofTest(
  'a gateway that joins gets its share, one that stops gives its own, and no login meets another',
  stopped,
);
