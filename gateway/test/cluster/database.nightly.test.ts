import { away, promoted, restarted } from './proofs/database.ts';
import { proofTest } from './support/proof-test.ts';

proofTest('a database that crashes and is back within a lease moves nothing', restarted);
proofTest('a database that is away for longer than a lease brings everything back with it', away);
proofTest('a standby that takes over within a lease loses nothing that was confirmed', promoted);
