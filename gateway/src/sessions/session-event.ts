import type { EngineEvent, Sign } from './engine.ts';

/** What happens to a session: what its engine reports, or that WhatsApp no longer answers for it although it is connected. */
export type SessionEvent = EngineEvent | { type: 'silent' };

/** An event that changes the state. */
export type Change = Exclude<SessionEvent, Sign | { type: 'name' | 'pairing' | 'removed' }>;

export function isChange(event: SessionEvent): event is Change {
  return !isSign(event) && event.type !== 'name' && event.type !== 'pairing' && event.type !== 'removed';
}

export function isSign(event: SessionEvent): event is Sign {
  switch (event.type) {
    case 'signal':
    case 'limited':
    case 'quota':
    case 'exit':
      return true;
    default:
      return false;
  }
}
