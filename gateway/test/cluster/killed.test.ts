import { killed } from './proofs/killed.ts';
import { LEASE } from './support/lease.ts';
import { proofTest } from './support/proof-test.ts';

proofTest(
  'a gateway that is killed loses nothing: others take its numeros over after its lease, without a code',
  killed,
  { lease: LEASE },
);
