import type { Session } from '../session/session.ts';
import type { Situation } from '../session/status.ts';
import { texts } from '../texts.ts';
import { STATES } from '../wire.ts';

/** One line on what a session asks of the operator; undefined where the state text says it, or nobody knows. */
export function explain(session: Session, situation: Situation): string | undefined {
  const { unanswered, failure, stuck, codeLife, unscanned } = situation;
  if (unanswered) return texts.startUnanswered;
  if (failure) return texts.failed(failure.action, session.numero, failure.error.message.replace(/\.$/, ''));
  if (stuck) return texts.stuck[stuck];
  if (codeLife && session.state !== STATES.connected)
    return codeLife === 'expired' ? texts.codeExpired : texts.scan;
  if (session.state === STATES.authenticating) return session.waiting ? texts.codeDue : texts.linking;
  if (session.state === STATES.disconnected && unscanned) return texts.unscanned;
  return texts.states.get(session.state) ?? (situation.asks === 'unknown' ? texts.unknownState : undefined);
}
