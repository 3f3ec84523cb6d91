import type { EngineEvent, Sign } from './engine.ts';

/** What happens to a session: what its engine reports, or that WhatsApp no longer answers for it although it is connected. */
export type SessionEvent = EngineEvent | { type: 'silent' };

/** An event that changes the state. */
export type Change = Exclude<SessionEvent, Sign | { type: 'name' | 'pairing' | 'removed' }>;

const OTHERS = ['name', 'pairing', 'removed', 'signal', 'limited', 'quota', 'exit'];

export function isChange(event: SessionEvent): event is Change {
  return !OTHERS.includes(event.type);
}
