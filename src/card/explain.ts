import type { Session } from '../session/session.ts';
import { FINDINGS } from '../session/states.ts';
import type { Status } from '../session/status.ts';
import * as texts from '../texts.ts';
import type { WireReason } from '../wire.ts';

/**
 * One line on what a session asks of the operator; undefined where the state text says it, or nobody knows.
 * @param reason - why it is not connected, as the server says
 */
export function explain({ numero }: Session, status: Status, reason?: WireReason): string | undefined {
  const { condition, asks, failure } = status;
  if (failure && condition !== 'unanswered')
    return texts.failed(failure.what, numero, failure.message.replace(/\.$/, ''));
  if (reason && asks !== 'nothing' && !(condition in FINDINGS)) return reason.text;
  return texts.conditions[condition];
}
