/**
 * What can go wrong with a phone, for as long as nobody takes it away. It begins with the next thing that the
 * phone does; what it held up goes on once it is gone.
 */
export const PHONE_FAULTS = [
  /** The code is scanned, and the session is never ready. So is one of a linked phone that is started again. */
  'stuck',
  /** A start never gets anywhere: no code comes, and nothing is said. */
  'no-code',
  /** A start is refused. */
  'refuses',
  /** The code that is up is not followed by another, and nothing is said of it; it expires all the same. */
  'stale-code',
  /** The session takes {@link SLOW_DELETE} to be deleted. */
  'slow-delete',
  /** No message of the session is sent. */
  'failing-sends',
] as const;

export type PhoneFault = (typeof PHONE_FAULTS)[number];

/** How long a slow deletion takes, in milliseconds of the phones' clock. */
export const SLOW_DELETE = 120_000;
