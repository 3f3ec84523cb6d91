import type { PhoneFault } from './faults.ts';
import type { PhoneMessage } from './inbox.ts';

/**
 * What a phone's session is doing: `off` (none runs), `starting`, `code` (one is up), `linking` (scanned, not
 * ready yet), `connected`, `closing` (being deleted, which takes long).
 */
export type PhoneState = 'off' | 'starting' | 'code' | 'linking' | 'connected' | 'closing';

/** Everything that can be seen of one phone. */
export interface PhoneRecord {
  numero: string;
  /** Whether it is linked to the gateway; a linked phone needs no code. */
  linked: boolean;
  /** Whether it has a line. */
  online: boolean;
  state: PhoneState;
  /** The QR text that it can scan now. */
  code: string | null;
  fault: PhoneFault | null;
  /** Whether what would come next is held up, until somebody starts the session again or takes the fault away. */
  stalled: boolean;
  /** What WhatsApp reports of the session instead of its being connected, as `OPENING`. */
  reported: string | null;
  /** The last 50, oldest first. */
  messages: PhoneMessage[];
}
