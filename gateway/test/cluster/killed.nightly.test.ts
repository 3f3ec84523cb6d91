import { killed } from './proofs/killed.ts';
import { proofTest } from './support/proof-test.ts';

proofTest(
  'gateways that are killed one after the other lose nothing: others wait for the ends of their leases',
  killed,
  { rounds: 4, numeros: 15 },
);
