import type { Session } from '../session/session.ts';
import { mainReason, type Status } from '../session/status.ts';
import * as texts from '../texts.ts';
import { STATES, type WireReason } from '../wire.ts';

/**
 * One line on what a session asks of the operator; undefined where the state text says it, or nobody knows.
 * @param cause - why it is not connected, as the server says
 */
export function explain(session: Session, status: Status, cause?: WireReason): string | undefined {
  const { codeLife, unscanned } = status;
  const { numero, state, qrCode, waiting } = session;
  const reason = mainReason(status);
  if (reason === 'unanswered') return texts.startUnanswered;
  if (typeof reason === 'object')
    return texts.failed(reason.action, numero, reason.error.message.replace(/\.$/, ''));
  if (reason) return texts.stuck[reason];
  if (qrCode !== undefined && state !== STATES.connected)
    return codeLife === 'expired' ? texts.codeExpired : texts.scan;
  if (cause && state !== STATES.connected) return cause.text;
  if (state === STATES.authenticating) return waiting ? texts.codeDue : texts.linking;
  if (state === STATES.disconnected && unscanned) return texts.unscanned;
  return texts.states.get(state) ?? (status.asks === 'unknown' ? texts.unknownState : undefined);
}
