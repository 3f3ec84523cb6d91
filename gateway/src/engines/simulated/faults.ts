/**
 * The faults of a phone. A fault applies from the phone's next step on; steps that it holds continue once it is
 * removed.
 */
export const PHONE_FAULTS = [
  /** The code is scanned, but the session never becomes ready; nor does a restarted linked phone. */
  'stuck',
  /** A start never shows a code, and reports nothing. */
  'no-code',
  /** A start is refused. */
  'refuses',
  /** The current code expires, but no other follows, and nothing is reported. */
  'stale-code',
  /** WhatsApp no longer links: a scan is refused, and the codes run out. */
  'outdated',
  /** WhatsApp closes each login. Ends with the next start, which needs a code. */
  'dead-keys',
  /** Deleting the session takes {@link SLOW_DELETE}. */
  'slow-delete',
  /** All messages of the session fail. */
  'failing-sends',
  /** WhatsApp lets the account write only to those who have exchanged messages with it, for {@link RESTRICTION}. */
  'restricted',
  /** The connection is open, but WhatsApp answers nothing. Ends with the next start. */
  'zombie',
] as const;

export type PhoneFault = (typeof PHONE_FAULTS)[number];

/** How long a slow deletion takes, in milliseconds of the phones' clock. */
export const SLOW_DELETE = 120_000;

/** How long a restriction lasts, in milliseconds of the phones' clock. */
export const RESTRICTION = 3_600_000;

/** The new chats of a restricted account: it has none left. */
export const USED_UP = { used: 100, total: 100 };

/**
 * The states that WhatsApp can be made to report: those that servers of this kind pass on, and an unknown one, which a
 * future version of WhatsApp may add.
 */
export const REPORTED_STATES = [
  'CONFLICT',
  'CONNECTED',
  'DEPRECATED_VERSION',
  'OPENING',
  'PAIRING',
  'PROXYBLOCK',
  'SMB_TOS_BLOCK',
  'TIMEOUT',
  'TOS_BLOCK',
  'UNLAUNCHED',
  'UNPAIRED',
  'UNPAIRED_IDLE',
  'HIBERNATING',
] as const;

export type ReportedState = (typeof REPORTED_STATES)[number];

/** Whether this state unlinks the phone: the next start then needs a code. */
export function endsLink(state: string): boolean {
  return state === 'UNPAIRED' || state === 'UNPAIRED_IDLE';
}
