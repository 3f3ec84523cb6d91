/** What goes over the wire between the gateway and the page behind a link. Times are ms since 1970 by its clock. */
import type { WirePairing, WirePasskey, WireReason } from '../../src/wire.ts';

/** The namespace of the page's socket, whose `auth` is `{ token }`. */
export const LINK_NAMESPACE = '/link';

/** The push of a {@link WireLinkView}: at once, and after each change. */
export const LINK_SESSION = 'session';

/** The push of a {@link WireLinkOver}: the last one. */
export const LINK_OVER = 'over';

/** The one session of a link. */
export interface WireLinkView {
  numero: string;
  /** What it is called: the operators' label, or the account's own name. */
  name?: string;
  state: string;
  /** The text to draw as a QR code, while there is one to scan. */
  qrCode?: string;
  /** True while one can only wait. */
  waiting: boolean;
  /** Why it is not connected. */
  reason?: WireReason;
  /** The code to type on the phone, while there is one. */
  pairing?: WirePairing;
  /** The step of a passkey, while there is one. */
  passkey?: WirePasskey;
  /** When the link is over. */
  expires: number;
  /** When this was sent. */
  now: number;
}

/** Why a link is over: a phone was linked, its time is over, or it was revoked, went with its session, or has a successor. */
export type LinkEnd = 'linked' | 'expired' | 'revoked' | 'deleted' | 'replaced';

export interface WireLinkOver {
  /** Why the link is over; or `displaced`, where newer pages of a link that is not over have taken the page's place. */
  reason: LinkEnd | 'displaced';
}

/** The `data` of a refused connection; its message is a sentence for the screen. */
export interface WireLinkRefusal {
  /** Why the link is over, if that is known. */
  over?: LinkEnd;
  /** Whether another attempt may succeed. */
  passing: boolean;
}
