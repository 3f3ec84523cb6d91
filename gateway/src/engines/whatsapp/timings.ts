/** Durations, in milliseconds. Tests shorten the ones that they would have to wait for. */
export interface Timings {
  /**
   * Lifetime of each code; undefined for the library's default, which is WhatsApp Web's: 60 s for the first and 20 s
   * for the others.
   */
  code: number | undefined;
  /** Longest wait for a code, or for a linked session to log in, before the next attempt. */
  opening: number;
  /**
   * First wait before reconnecting, doubled each time up to `retryMost`. Short enough for a restarting router to go
   * almost unnoticed; long enough in the end not to look like an attack.
   */
  retryFirst: number;
  retryMost: number;
  /** How long a connection must last for the next wait to be `retryFirst` again. */
  steady: number;
  /**
   * How long it takes to type a code on a phone: one that expires sooner is not given out again, and a new one is good
   * for twice as long.
   */
  typing: number;
  /**
   * First and longest wait when retrying soon does not help: WhatsApp rejects the client as outdated, or bans the account
   * without saying for how long.
   */
  patientFirst: number;
  patientMost: number;
  /** How long somebody may take to sign with a passkey; what is to be signed is good for as long. */
  passkeySigned: number;
  /** How long the phone may take at each step after that, and a person to compare two codes. */
  passkeyAnswered: number;
  /** How long after the scan the codes need not be compared. */
  passkeyProven: number;
  /** Timeout of one query; the library's default is a minute. */
  query: number;
  /** Timeout of one message, from the request to WhatsApp's confirmation. */
  send: number;
  /**
   * Pause between two messages of one session. WhatsApp bans accounts that send faster than people do, and a test
   * message is not urgent.
   */
  pause: number;
  /** Timeout for unlinking a deleted session, connecting included. */
  unlink: number;
  /** How long WhatsApp, and the page that tells the exit, may take to answer through a proxy that is tested. */
  proxy: number;
  /** Keep-alive interval; a connection that is silent for 5 s longer is lost. */
  keepAlive: number;
  /**
   * Mean delay between the starts of two linked sessions when the gateway starts: ten logins a second look like people
   * at work, not like a machine, and leave time for requests.
   */
  stagger: number;
}

export const TIMINGS: Timings = {
  code: undefined,
  opening: 60_000,
  retryFirst: 1_000,
  retryMost: 60_000,
  steady: 60_000,
  typing: 60_000,
  patientFirst: 10 * 60_000,
  patientMost: 6 * 60 * 60_000,
  passkeySigned: 10 * 60_000,
  passkeyAnswered: 2 * 60_000,
  passkeyProven: 5 * 60_000,
  query: 20_000,
  send: 20_000,
  pause: 1_000,
  unlink: 8_000,
  proxy: 10_000,
  keepAlive: 30_000,
  stagger: 100,
};
