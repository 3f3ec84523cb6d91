import { killed } from './proofs/killed.ts';
import { proofTest } from './support/proof-test.ts';

proofTest('gateways that are killed one after the other lose nothing', killed, { rounds: 4, numeros: 15 });
