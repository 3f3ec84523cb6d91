/**
 * How far a session is: `connecting` to get a code; `code` (one is up); `linking` (scanned; WhatsApp is about
 * to ask for a new connection); `opening` (linked, on its way in); `open`.
 */
export type Phase = 'connecting' | 'code' | 'linking' | 'opening' | 'open';

/** How a connection ended. */
export interface Close {
  /** The library's status code; it follows HTTP's loosely (`DisconnectReason`). */
  readonly code: number;
  /** Whether WhatsApp's server was reached at all. */
  readonly reached: boolean;
}

/** What the end of a connection means for its session. */
export type Closing =
  | 'codes-used-up'
  /** Nothing happened: the new login wants a new connection. */
  | 'restart'
  /** Unlinked on the phone, or never linked in WhatsApp's eyes: the credentials are void. */
  | 'revoked'
  | 'restricted'
  | 'replaced'
  | 'outdated'
  | 'line-lost'
  | 'unreachable';

export function closingOf(phase: Phase, { code, reached }: Close): Closing {
  // First of all: a proxy or a hotel's sign-in page may answer 401 or 403, and must not void credentials.
  if (!reached) return 'unreachable';
  switch (code) {
    case 401:
    case 411:
      return 'revoked';
    case 403:
      return 'restricted';
    case 405:
      return 'outdated';
    case 408:
      // Also the code of a line that fell silent: while a code is up, the two end alike.
      return phase === 'code' ? 'codes-used-up' : 'line-lost';
    case 440:
      return 'replaced';
    case 515:
      return phase === 'linking' ? 'restart' : 'line-lost';
    default:
      return 'line-lost';
  }
}
