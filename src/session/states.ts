/** What a state text asks of the operator. The text itself is always shown as the server sent it. */

import { GATEWAY_STATES, STATES } from '../wire.ts';
import type { Session } from './session.ts';

/**
 * What the operator has to do about a session: `nothing`; `wait`, since it passes by itself; `scan` the code that is
 * on the screen; `act`, since it takes a person; `unknown` where only a person can tell, for lack of a known state.
 */
export type Asks = 'nothing' | 'wait' | 'scan' | 'act' | 'unknown';

/** The states of whatsapp-web.js, its `WAState`, besides those of spec §4 and of the gateway in `demo/`. */
const ASKS: ReadonlyMap<string, Asks> = new Map<string, Asks>([
  [STATES.connected, 'nothing'],
  [STATES.authenticating, 'wait'],
  [STATES.closing, 'wait'],
  ['OPENING', 'wait'],
  ['PAIRING', 'wait'],
  ['TIMEOUT', 'wait'],
  [STATES.disconnected, 'act'],
  ['CONFLICT', 'act'],
  ['DEPRECATED_VERSION', 'act'],
  ['PROXYBLOCK', 'act'],
  ['SMB_TOS_BLOCK', 'act'],
  ['TOS_BLOCK', 'act'],
  ['UNLAUNCHED', 'act'],
  ['UNPAIRED', 'act'],
  ['UNPAIRED_IDLE', 'act'],
]);

export function asksOf({ state, qrCode }: Session): Asks {
  if (qrCode !== undefined && state !== STATES.connected) return 'scan';
  const asks = ASKS.get(state);
  if (asks) return asks;
  if (state.startsWith(GATEWAY_STATES.unreachable)) return 'wait';
  return Object.values(GATEWAY_STATES).some((text) => state.startsWith(text)) ? 'act' : 'unknown';
}

/** Whether a person has to look after it. */
export function needsAttention(asks: Asks): boolean {
  return asks !== 'nothing' && asks !== 'wait';
}
