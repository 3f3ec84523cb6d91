import { away, promoted, restarted } from './proofs/database.ts';
import { proofTest } from './support/proof-test.ts';

proofTest('a database that crashes and is back at once moves nothing', restarted);
proofTest('a database that is away for longer than a lease brings everything back with it', away);
proofTest('a standby that takes over loses nothing that was confirmed', promoted);
