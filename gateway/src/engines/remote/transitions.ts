import { STATES } from '../../../../src/wire.ts';
import type { EngineEvent } from '../../sessions/engine.ts';
import type { Status } from './server.ts';

/** What the engine knows of a session: what its server said last, that the phone is another one, or nothing now. */
export type Known = Status | 'other-number' | 'unknown';

/**
 * Returns what a session reports whose status changes.
 *
 * @param digits those of the linked phone
 */
export function eventsBetween(before: Known, after: Known, digits = ''): EngineEvent[] {
  if (before === after) return [];
  switch (after) {
    case 'connected':
      return before === 'scanning' ? [{ type: 'authenticated' }, { type: 'ready' }] : [{ type: 'ready' }];
    case 'starting':
      return [{ type: 'state', state: before === 'connected' ? 'OPENING' : STATES.authenticating }];
    case 'scanning':
      // The code follows.
      return before === 'starting' ? [] : [{ type: 'state', state: STATES.authenticating }];
    case 'expired':
      return [{ type: 'qr_timeout' }];
    case 'passkey':
    case 'restricted':
      return [{ type: 'stopped', reason: after }];
    case 'other-number':
      return [{ type: 'stopped', reason: after, numero: digits }];
    case 'logged-out':
      return isDown(before) ? [] : [{ type: 'disconnected', reason: after }];
    case 'stopped':
      return isDown(before) ? [] : [{ type: 'disconnected' }];
    case 'unknown':
      return [{ type: 'delayed', reason: 'no-server' }];
  }
}

/** Whether a session has ended: why is told already, and is not told in fewer words. */
export function isDown(known: Known): boolean {
  return ['stopped', 'expired', 'logged-out', 'passkey', 'restricted', 'other-number'].includes(known);
}

/**
 * Whether a status is no news. That a session starts is none while a code is up, which is the scan; nor after an unlink,
 * since Evolution API tries a few times with credentials that have been removed. That its server does not answer is
 * none for a session that is down: why it is, stays so.
 */
export function tellsNothing(before: Known, status: Known): boolean {
  if (status === 'unknown') return isDown(before);
  return status === 'starting' && ['scanning', 'logged-out', 'other-number'].includes(before);
}
