import { STATES } from '../../../../src/wire.ts';
import type { EngineEvent } from '../../sessions/engine.ts';
import type { Known } from './server.ts';

/** The session waits for a code to be scanned, or for a passkey. */
const LINKING: readonly Known[] = ['scanning', 'sign', 'confirm', 'signed'];

/**
 * Returns the events of a change of status.
 *
 * @param digits the digits of the linked phone
 * @param wasLinked whether a phone was linked, as far as that is known
 */
export function eventsBetween(before: Known, after: Known, digits = '', wasLinked = false): EngineEvent[] {
  if (before === after) return [];
  const ended: EngineEvent = { type: 'disconnected', ...(wasLinked && { reason: 'connection-lost' }) };
  switch (after) {
    case 'connected':
      return LINKING.includes(before) ? [{ type: 'authenticated' }, { type: 'ready' }] : [{ type: 'ready' }];
    case 'starting':
      return [{ type: 'state', state: STATES.authenticating }];
    case 'reconnecting':
      return [{ type: 'state', state: 'OPENING' }];
    case 'scanning':
      // The code follows.
      if (before === 'starting') return [];
      return [
        ...(wasLinked && !isDown(before) ? [ended] : []),
        { type: 'state', state: STATES.authenticating },
      ];
    case 'expired':
      return [{ type: 'qr_timeout' }];
    case 'sign':
      return [{ type: 'passkey', passkey: { step: 'sign' } }];
    case 'signed':
    case 'confirm':
      // The code to compare follows.
      return [{ type: 'passkey', passkey: { step: 'wait' } }];
    case 'passkey':
    case 'restricted':
      return [{ type: 'stopped', reason: after }];
    case 'other-number':
      return [{ type: 'stopped', reason: after, numero: digits }];
    case 'logged-out':
      return isDown(before) ? [] : [{ type: 'disconnected', reason: after }];
    case 'stopped':
    case 'failed':
      return isDown(before) ? [] : [ended];
    case 'unknown':
      return [{ type: 'delayed', reason: 'no-server' }];
  }
}

/** Whether a session has ended: the known reason must not be replaced by a vaguer one. */
export function isDown(known: Known): boolean {
  return ['stopped', 'failed', 'expired', 'logged-out', 'passkey', 'restricted', 'other-number'].includes(
    known,
  );
}

/**
 * Whether a status reports nothing new. A start does not while a code is shown or a passkey is required, because it is
 * the scan, or what follows a step; nor after an unlink, since Evolution API tries removed credentials a few times. A
 * silent server is nothing new for a session that is down: its reason stays.
 */
export function tellsNothing(before: Known, status: Known): boolean {
  if (status === 'unknown') return isDown(before);
  const isStart = status === 'starting' || status === 'reconnecting';
  return isStart && [...LINKING, 'logged-out', 'other-number'].includes(before);
}
