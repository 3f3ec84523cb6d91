import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { WireQuota } from '../../../../src/wire.ts';
import type { Limit } from '../../sessions/engine.ts';

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
