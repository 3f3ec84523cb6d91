import type { Logger } from 'pino';
import type { EngineObserver } from './engine-news.ts';
import type { Session } from './session.ts';
import { kindOf, type StateKind } from './state-kinds.ts';

const RELINKING = 'WhatsApp rejects the credentials: they are erased, and a new code is requested.';

const REQUESTS = {
  start: 'Start of a session',
  removal: 'Deletion of a session',
  unlinking: 'Unlinking of a session',
};

/** Logs what engines do, but never a code, a text or a recipient. */
export function engineLog(log: Logger): EngineObserver {
  return (numero, news) => {
    switch (news.type) {
      case 'request': {
        const what = REQUESTS[news.request];
        if (news.outcome === 'done') log.info({ numero }, what);
        else log.warn({ numero, reason: news.outcome }, `${what}: failed.`);
        return;
      }
      case 'message': {
        const ms = Math.round(news.milliseconds);
        if (news.delivery === 'sent') log.info({ numero, ms }, 'Message sent');
        else log.warn({ numero, ms, reason: news.delivery }, 'Message not sent, or not confirmed');
        return;
      }
      case 'probe':
        // The change of the state is logged once.
        if (!news.isAnswered) log.debug({ numero }, 'WhatsApp does not answer for a session');
        return;
      case 'limited':
        if (news.limit) log.warn({ numero, ...news.limit }, 'WhatsApp restricts a session');
        return;
      case 'passkey':
        log.info({ numero, step: news.passkey.step }, 'The account requires a passkey');
        return;
      case 'stopped':
        log.warn(
          { numero, reason: news.reason, ...('cause' in news && { cause: news.cause }) },
          'Session ended',
        );
        return;
      case 'qr_timeout':
        log.info({ numero, reason: news.type }, 'Session ended');
        return;
      case 'delayed':
        log.warn(
          { numero, reason: news.reason },
          news.reason === 'relinking' ? RELINKING : 'Session delayed',
        );
    }
  };
}

/** Returns a function that logs each change of a session's kind of state; not each new code. */
export function stateLog(log: Logger): (session: Session) => void {
  const last = new WeakMap<Session, StateKind>();
  return (session) => {
    const { shown, numero } = session;
    const state = shown ? kindOf(shown) : 'disconnected';
    if ((last.get(session) ?? 'disconnected') === state) return;
    last.set(session, state);
    log.info({ numero, state }, 'Session state');
  };
}
