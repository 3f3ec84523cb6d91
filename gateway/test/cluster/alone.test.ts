import { alone } from './proofs/alone.ts';
import { proofTest } from './support/proof-test.ts';

proofTest('a gateway without --database loads nothing of PostgreSQL', alone);
