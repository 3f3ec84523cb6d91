import { STATES, type WireSession } from '../../../src/wire.ts';
import type { StatePush } from './transitions.ts';

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

const AFTER: Record<Exclude<StatePush['event'], 'change_state'>, StateKind> = {
  qr: 'code',
  authenticated: 'waiting',
  ready: 'connected',
  disconnected: 'disconnected',
  qr_timeout: 'disconnected',
};

export function kindOf({ state, qrCode }: WireSession): StateKind {
  return qrCode === undefined ? (OF_STATES.get(state) ?? 'other') : 'code';
}

/** Returns the kind of a session's state after a push. */
export function kindAfter(push: StatePush): StateKind {
  return push.event === 'change_state' ? (OF_STATES.get(push.state) ?? 'other') : AFTER[push.event];
}
