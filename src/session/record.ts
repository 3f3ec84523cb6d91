import type { LastMessage } from './acks.ts';
import type { Details, Pairing } from './details.ts';
import type { Facts } from './facts.ts';
import type { Entry } from './history.ts';
import type { Session } from './session.ts';
import type { Status } from './status.ts';

/** What is known of one session. Never changed in place. */
export interface SessionRecord {
  /** The session as it is to be shown: as reported, unless its deletion is under way. */
  readonly session: Session;
  /** The session as the server last described it. */
  readonly reported: Session;
  /** When a push did so while a deletion was under way, in milliseconds since 1970. */
  readonly reportedAt?: number | undefined;
  readonly facts: Facts;
  /** What it asks of the operator now. The same object while it says the same. */
  readonly status: Status;
  /** The last fifty things that happened to it, the oldest first. */
  readonly history: readonly Entry[];
  /** The details as the server last gave them. */
  readonly reportedDetails: Details;
  /** The details as they are to be shown. The same object while they say the same. */
  readonly details: Details;
  /** The code to type on the phone: until it is over, or the session is CONNECTED. */
  readonly pairing?: Pairing | undefined;
  /** The last test message that was accepted, where the server tells what becomes of it. */
  readonly lastMessage?: LastMessage;
}

const SHOWN = ['session', 'facts', 'status', 'history', 'details', 'pairing', 'lastMessage'] as const;

/** Whether two records differ only in what nobody sees, such as what is reported of a session that is being deleted. */
export function isShownAlike(one: SessionRecord, other: SessionRecord): boolean {
  return SHOWN.every((field) => one[field] === other[field]);
}
