import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { WireQuota } from '../../../../src/wire.ts';
import type { Limit } from '../../sessions/engine.ts';
import type { RemoteAck, Status } from '../remote/server.ts';

/** WAHA's words for a session's state (https://waha.devlike.pro/docs/how-to/sessions/). */
const STATUSES = new Map<string, Status>([
  ['STOPPED', 'stopped'],
  ['STARTING', 'starting'],
  ['SCAN_QR_CODE', 'scanning'],
  ['PASSKEY_REQUIRED', 'passkey'],
  ['PASSKEY_CONFIRMATION_REQUIRED', 'passkey'],
  ['WORKING', 'connected'],
  ['FAILED', 'failed'],
]);

/**
 * Returns the meaning of a word of WAHA; undefined for an unknown one.
 *
 * @param before the session's word before, if it is known
 */
export function statusOf(word: string, before?: string): Status | undefined {
  // It also follows the last code.
  if (word === 'FAILED' && before === 'SCAN_QR_CODE') return 'expired';
  return STATUSES.get(word);
}

/** Returns the step of the passkey that a word stands for, where the server can go on with it. */
export function stepOf(word: string): Status | undefined {
  if (word === 'PASSKEY_REQUIRED') return 'sign';
  return word === 'PASSKEY_CONFIRMATION_REQUIRED' ? 'confirm' : undefined;
}

/** The statuses of messages, by WAHA's numbers; the other numbers report nothing new, or are unknown. */
export const ACKS: ReadonlyMap<number, RemoteAck> = new Map([
  [-1, 'failed'],
  [1, 'server'],
  [2, 'device'],
  [3, 'read'],
  [4, 'read'],
]);

/** WAHA's words for WhatsApp's limits (https://waha.devlike.pro/docs/how-to/sessions/#reachout-timelock). */
const Timelock = Type.Object({ isActive: Type.Boolean() });
/** Its end, in seconds since 1970, as far as a `Date` reaches. */
const End = Type.Object({ timeEnforcementEnds: Type.Integer({ minimum: 1, maximum: 8.64e12 }) });
const Capping = Type.Object({ totalQuota: Type.Integer(), usedQuota: Type.Integer({ minimum: 0 }) });

/** Returns how WhatsApp restricts the account; null if it does not, undefined if this does not tell. */
export function limitOf(timelock: unknown): Limit | null | undefined {
  if (timelock === null) return null;
  if (!Value.Check(Timelock, timelock)) return undefined;
  if (!timelock.isActive) return null;
  if (!Value.Check(End, timelock)) return {};
  const until = timelock.timeEnforcementEnds * 1_000;
  // WAHA may not hear of the end.
  return until > Date.now() ? { until } : null;
}

/** Returns the new chats that WhatsApp allows; null if it does not limit them, undefined if this does not tell. */
export function quotaOf(capping: unknown): WireQuota | null | undefined {
  if (capping === null) return null;
  if (!Value.Check(Capping, capping)) return undefined;
  const { usedQuota: used, totalQuota: total } = capping;
  return total > 0 ? { used, total } : null;
}
