import { clocks } from './proofs/clocks.ts';
import { proofTest } from './support/proof-test.ts';

proofTest('clocks that are an hour off end no lease, and move nothing', clocks);
