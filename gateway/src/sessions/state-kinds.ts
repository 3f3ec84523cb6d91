import { STATES, type WireSession } from '../../../src/wire.ts';

/** The kinds of states, for logs and metrics: a state can be any text, and may contain a phone number. */
export const STATE_KINDS = ['connected', 'code', 'waiting', 'disconnected', 'closing', 'other'] as const;

export type StateKind = (typeof STATE_KINDS)[number];

/** The contract's own states; an engine's are any text. */
const OF_STATES = new Map<string, StateKind>([
  [STATES.connected, 'connected'],
  [STATES.authenticating, 'waiting'],
  [STATES.disconnected, 'disconnected'],
  [STATES.closing, 'closing'],
]);

export function kindOf({ state, qrCode }: WireSession): StateKind {
  return qrCode === undefined ? (OF_STATES.get(state) ?? 'other') : 'code';
}
