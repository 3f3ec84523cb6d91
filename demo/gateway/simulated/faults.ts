/**
 * The faults that a phone can be given. A fault applies from the phone's next step on; steps that it holds go on once
 * it is removed.
 */
export const PHONE_FAULTS = [
  /** The code is scanned, but the session never gets ready; nor does a linked phone that is restarted. */
  'stuck',
  /** A start never shows a code, and reports nothing. */
  'no-code',
  /** A start is refused. */
  'refuses',
  /** The current code expires, but no other follows, and nothing is reported. */
  'stale-code',
  /** Deleting the session takes {@link SLOW_DELETE}. */
  'slow-delete',
  /** All messages of the session fail. */
  'failing-sends',
] as const;

export type PhoneFault = (typeof PHONE_FAULTS)[number];

/** How long a slow deletion takes, in milliseconds of the phones' clock. */
export const SLOW_DELETE = 120_000;
