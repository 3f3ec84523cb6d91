import { STATES } from '../../src/wire.ts';
import type { WireLinkView } from './wire.ts';

type Session = Pick<WireLinkView, 'state' | 'qrCode' | 'pairing' | 'passkey' | 'waiting'>;

/** Where the session is on its way to a linked phone. */
export type Phase =
  /** A code is being made. */
  | 'preparing'
  /** WhatsApp cannot be reached for now; the gateway goes on trying. */
  | 'delayed'
  /** A phone can be linked. */
  | 'ready'
  /** The account's passkey has to be confirmed, or a code to be compared. */
  | 'passkey'
  /** A phone is being linked. */
  | 'linking'
  | 'linked'
  /** There is no code until somebody asks for one. */
  | 'stopped';

/** States by WhatsApp's own names that pass by themselves. */
const LINKING: readonly string[] = ['OPENING', 'PAIRING'];

export function phaseOf({ state, qrCode, pairing, passkey, waiting }: Session): Phase {
  if (qrCode !== undefined || pairing) return 'ready';
  if (passkey?.step === 'sign' || passkey?.step === 'confirm') return 'passkey';
  if (state === STATES.connected) return 'linked';
  if (state === STATES.authenticating) return waiting ? 'preparing' : 'linking';
  if (LINKING.includes(state)) return 'linking';
  if (state.endsWith('...')) return 'delayed';
  return waiting ? 'preparing' : 'stopped';
}
