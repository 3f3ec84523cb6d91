import { deaf } from './proofs/deaf.ts';
import { proofTest } from './support/proof-test.ts';

proofTest('panels catch up when their gateways heard nothing of each other for a while', deaf);
