import { STATES, type WireSession } from '../../../src/wire.ts';
import type { StatePush } from './transitions.ts';

/** The kinds of states, for logs and metrics: a state can be any text, and may contain a phone number. */
export const STATE_KINDS = ['connected', 'code', 'waiting', 'disconnected', 'closing', 'other'] as const;

export type StateKind = (typeof STATE_KINDS)[number];

export function kindOf({ state, qrCode }: WireSession): StateKind {
  return qrCode === undefined ? kindOfState(state) : 'code';
}

/** Returns the kind of a session's state after a push. */
export function kindAfter(push: StatePush): StateKind {
  switch (push.event) {
    case 'qr':
      return 'code';
    case 'authenticated':
      return 'waiting';
    case 'ready':
      return 'connected';
    case 'disconnected':
    case 'qr_timeout':
      return 'disconnected';
    case 'change_state':
      return kindOfState(push.state);
  }
}

function kindOfState(state: string): StateKind {
  switch (state) {
    case STATES.connected:
      return 'connected';
    case STATES.authenticating:
      return 'waiting';
    case STATES.disconnected:
      return 'disconnected';
    case STATES.closing:
      return 'closing';
    default:
      return 'other';
  }
}
