import { STATES } from '../wire.ts';
import type { Session } from './session.ts';
import { type Asks, asksOf } from './status.ts';

/** What kind of state a session is in, as its picture shows it. */
type Family = Asks | 'off';

/** A start is all that these need. Other states that need a person say what stands in the way. */
const OFF: readonly string[] = [STATES.disconnected, 'UNLAUNCHED', 'UNPAIRED', 'UNPAIRED_IDLE'];

/** By the state alone: one that is stuck is still waiting. */
export function familyOf(session: Session): Family {
  return OFF.includes(session.state) ? 'off' : asksOf(session);
}
