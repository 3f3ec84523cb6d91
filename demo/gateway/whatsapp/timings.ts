/** How long things take, in milliseconds. Tests shorten what they would have to wait for. */
export interface Timings {
  /**
   * How long each code lives; undefined leaves it to the library, which does as WhatsApp Web does: 60 s for
   * the first and 20 s for the others.
   */
  code: number | undefined;
  /** Longest wait for WhatsApp to show a code, or to let a linked session in; then it is tried again. */
  opening: number;
  /**
   * First wait before a lost line is tried again, doubled each time up to `retryMost`. Short enough for a
   * router that starts over to go almost unseen; long enough in the end not to look like an attack.
   */
  retryFirst: number;
  retryMost: number;
  /** A line that held for this long was good: the next wait is the first one again. */
  steady: number;
  /** First and longest wait when WhatsApp finds the client too old: only an update of the server helps. */
  outdatedFirst: number;
  outdatedMost: number;
  /** Longest wait for the answer to one question; the library's own is a minute. */
  query: number;
  /** Longest time for one message, from the request to WhatsApp's confirmation. */
  send: number;
  /**
   * Pause between two messages of one session. An account that writes faster than people do is taken for a
   * robot and banned; a test message is not urgent.
   */
  pause: number;
  /** Longest time for telling WhatsApp that a session was deleted, connecting included. */
  unlink: number;
  /** Interval of signs of life; a line that stays silent for 5 s longer than this is lost. */
  keepAlive: number;
  /** Between the starts of two linked sessions when the gateway begins, so that not all knock at once. */
  stagger: number;
}

export const TIMINGS: Timings = {
  code: undefined,
  opening: 60_000,
  retryFirst: 1_000,
  retryMost: 60_000,
  steady: 60_000,
  outdatedFirst: 10 * 60_000,
  outdatedMost: 6 * 60 * 60_000,
  query: 20_000,
  send: 20_000,
  pause: 1_000,
  unlink: 8_000,
  keepAlive: 30_000,
  stagger: 50,
};
