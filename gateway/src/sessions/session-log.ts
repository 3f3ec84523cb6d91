import type { Logger } from 'pino';
import type { Delay } from './engine.ts';
import type { EngineObserver, Outcome } from './observed-engine.ts';
import { kindAfter, type StateKind } from './state-kinds.ts';
import type { StatePush } from './transitions.ts';

/** The log entry of an interrupted session. */
const DELAYED: Partial<Record<Delay['reason'], string>> = {
  'odd-code': 'A code to scan came that cannot be shown: it was dropped.',
  relinking: 'WhatsApp rejects the credentials: they are erased, and a new code is requested.',
};

/** Logs what engines do, but never a code, a text or a recipient. */
export function engineLog(log: Logger): EngineObserver {
  const done = (numero: string, outcome: Outcome, what: string) => {
    if (outcome === 'done') log.info({ numero }, what);
    else log.warn({ numero, reason: outcome }, `${what}: failed.`);
  };
  return {
    started: (numero, outcome) => done(numero, outcome, 'Start of a session'),
    removed: (numero, outcome) => done(numero, outcome, 'Deletion of a session'),
    unlinked: (numero, outcome) => done(numero, outcome, 'Unlinking of a session'),
    sent(numero, delivery, milliseconds) {
      const ms = Math.round(milliseconds);
      if (delivery === 'sent') log.info({ numero, ms }, 'Message sent');
      else log.warn({ numero, ms, reason: delivery }, 'Message not sent for sure');
    },
    reported(numero, event) {
      if (event.type === 'stopped') log.warn({ numero, reason: event.reason }, 'Session ended');
      else if (event.type === 'qr_timeout') log.info({ numero, reason: event.type }, 'Session ended');
      else if (event.type === 'delayed')
        log.warn({ numero, reason: event.reason }, DELAYED[event.reason] ?? 'Session delayed');
    },
  };
}

/** Returns a function that logs each change of a session's kind of state; not each new code. */
export function stateLog(log: Logger): (push: StatePush) => void {
  /** Without those that are disconnected, which may be deleted. */
  const last = new Map<string, StateKind>();
  return (push) => {
    const { numero } = push;
    const state = kindAfter(push);
    if ((last.get(numero) ?? 'disconnected') === state) return;
    if (state === 'disconnected') last.delete(numero);
    else last.set(numero, state);
    log.info({ numero, state }, 'Session state');
  };
}
