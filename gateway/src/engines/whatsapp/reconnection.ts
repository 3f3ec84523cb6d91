import type { Close } from './close.ts';

/**
 * How far a session has come: `connecting` (waiting for a code), `code` (one is shown), `passkey` (the account requires
 * one), `scanned` (the new credentials are being saved), `linking` (WhatsApp is about to ask for a new connection),
 * `opening` (linked, logging in), `open`.
 */
export type Phase = 'connecting' | 'code' | 'passkey' | 'scanned' | 'linking' | 'opening' | 'open';

/** What the end of a connection means for its session. */
export type DisconnectReason =
  | 'qr-timeout'
  /** Not a failure: a new login needs a new connection. */
  | 'restart-required'
  /** WhatsApp ended it before a phone was linked. */
  | 'refused'
  /** The device is no longer on the phone's list: the credentials are void. */
  | 'device-removed'
  /** WhatsApp does not accept the credentials. */
  | 'logged-out'
  | 'restricted'
  /** For a time. */
  | 'banned'
  | 'replaced'
  | 'outdated'
  /** WhatsApp is not available, or not for these credentials. */
  | 'login-failed'
  | 'connection-lost'
  | 'unreachable';

/** @param areCodesOver whether the code that was shown last has expired */
export function disconnectReason(
  phase: Phase,
  { code, reached, sent, removed }: Close,
  areCodesOver: boolean,
): DisconnectReason {
  // Comes first: a proxy or a hotel's sign-in page may answer 401 or 403, which must not void credentials.
  if (!reached) return 'unreachable';
  const isUnlinked = phase === 'connecting' || phase === 'code';
  switch (code) {
    case 401:
    case 411:
      if (isUnlinked || phase === 'passkey') return 'refused';
      return removed ? 'device-removed' : 'logged-out';
    case 402:
      return 'banned';
    case 403:
    case 406:
      return 'restricted';
    case 405:
    case 409:
      return 'outdated';
    case 408:
      if (sent) return isUnlinked ? 'outdated' : 'connection-lost';
      // Also the library's code of a connection that fell silent, which it notices while a code is valid.
      return phase === 'code' && areCodesOver ? 'qr-timeout' : 'connection-lost';
    case 440:
      return 'replaced';
    case 503:
      return phase === 'opening' ? 'login-failed' : 'connection-lost';
    case 515:
      return phase === 'linking' ? 'restart-required' : 'connection-lost';
    default:
      return 'connection-lost';
  }
}

/** Counts failed attempts in a row, to calculate the wait before the next one; see {@link backOff}. */
export class BackOff {
  readonly #first: number;
  readonly #most: number;
  #failed = 0;

  constructor(first: number, most: number) {
    this.#first = first;
    this.#most = most;
  }

  /** Counts a failed attempt or a lost connection, and returns the wait before the next one. */
  next(): number {
    return backOff(this.#failed++, this.#first, this.#most);
  }

  reset(): void {
    this.#failed = 0;
  }
}

/**
 * Returns the wait before the next attempt, in milliseconds: it doubles each time, less a random part of up to half,
 * so that sessions that were disconnected together do not reconnect together.
 *
 * @param attempt attempts that have failed in a row, from 0
 * @param first longest first wait, in milliseconds
 * @param most longest wait of all, in milliseconds
 */
export function backOff(attempt: number, first: number, most: number, random = Math.random): number {
  const longest = Math.min(most, first * 2 ** attempt);
  return longest * (0.5 + random() / 2);
}

/**
 * Returns how long a linked session waits when the gateway starts, in milliseconds: the first not at all, each other a
 * random moment of its place in the row.
 *
 * @param place place in the row, from 0
 * @param stagger length of a place, in milliseconds
 */
export function startDelay(place: number, stagger: number, random = Math.random): number {
  return Math.max(0, place - random()) * stagger;
}
