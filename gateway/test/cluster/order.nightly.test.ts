import { order } from './proofs/order.ts';
import { proofTest } from './support/proof-test.ts';

proofTest('panels hear every push in order at 2,000 a second, and lists are right after a silence', order, {
  numeros: 50,
});
