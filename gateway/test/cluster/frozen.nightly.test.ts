import { cutOff } from './proofs/cut-off.ts';
import { frozen, suspended } from './proofs/frozen.ts';
import { proofTest } from './support/proof-test.ts';

proofTest('a gateway that stood still for longer than its lease logs nothing in when it wakes up', frozen);
proofTest('nor does one whose clock stood still with it: the database refuses what it writes', suspended);
proofTest('a gateway without its database lets go before its lease is over and others take over', cutOff);
