import { unnotified } from './proofs/unnotified.ts';
import { proofTest } from './support/proof-test.ts';

proofTest('panels catch up when their gateways got no notifications for a while', unnotified);
