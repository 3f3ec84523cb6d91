import type { PhoneFault } from './faults.ts';
import type { PhoneMessage } from './inbox.ts';

/**
 * The state of a phone's session: `off` (none), `starting`, `code` (one is shown), `linking` (scanned, not ready yet),
 * `connected`, `closing` (a slow deletion).
 */
export type PhoneState = 'off' | 'starting' | 'code' | 'linking' | 'connected' | 'closing';

/** The public state of one phone. */
export interface PhoneRecord {
  numero: string;
  /** Whether it is linked to the gateway; a linked phone needs no code. */
  linked: boolean;
  /** Whether it is online. */
  online: boolean;
  state: PhoneState;
  /** The QR text that it can scan now. */
  code: string | null;
  fault: PhoneFault | null;
  /** Whether its next step is held, until the session is started again or the fault is removed. */
  stalled: boolean;
  /** What WhatsApp reports of the session instead of being connected, such as `OPENING`. */
  reported: string | null;
  /** The last 50, oldest first. */
  messages: PhoneMessage[];
}
