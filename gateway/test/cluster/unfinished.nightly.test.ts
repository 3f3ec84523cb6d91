import { deleted } from './proofs/deleted.ts';
import { proofTest } from './support/proof-test.ts';

proofTest('a deletion that its owner did not live to finish is finished by another gateway', deleted, {
  numeros: 3,
});
