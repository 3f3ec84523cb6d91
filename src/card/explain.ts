import type { Session } from '../session/session.ts';
import type { Status } from '../session/status.ts';
import { texts } from '../texts.ts';
import { STATES } from '../wire.ts';

/** One line on what a session asks of the operator; undefined where the state text says it, or nobody knows. */
export function explain(session: Session, status: Status): string | undefined {
  const { unanswered, failure, stuck, codeLife, unscanned } = status;
  const { numero, state, qrCode, waiting } = session;
  if (unanswered) return texts.startUnanswered;
  if (failure) return texts.failed(failure.action, numero, failure.error.message.replace(/\.$/, ''));
  if (stuck) return texts.stuck[stuck];
  if (qrCode !== undefined && state !== STATES.connected)
    return codeLife === 'expired' ? texts.codeExpired : texts.scan;
  if (state === STATES.authenticating) return waiting ? texts.codeDue : texts.linking;
  if (state === STATES.disconnected && unscanned) return texts.unscanned;
  return texts.states.get(state) ?? (status.asks === 'unknown' ? texts.unknownState : undefined);
}
