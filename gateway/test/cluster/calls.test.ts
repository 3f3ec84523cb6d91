import { calls } from './proofs/calls.ts';
import { LEASE } from './support/lease.ts';
import { proofTest } from './support/proof-test.ts';

proofTest(
  'calls reach the owner through any gateway, and are refused for a while when there is none, until after its lease',
  calls,
  { lease: LEASE },
);
