import { notified } from './proofs/notified.ts';
import { proofTest } from './support/proof-test.ts';

proofTest(
  'a notification of a gateway that is killed is delivered by another one, once, after its lease',
  notified,
);
