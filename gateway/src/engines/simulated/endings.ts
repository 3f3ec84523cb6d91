/** Why a session ends or waits: because of the phone's owner, or of WhatsApp. */
export const ENDINGS = [
  /** The owner removes the gateway from the phone's linked devices. */
  'device-removed',
  /** WhatsApp ends the session. */
  'logged-out',
  /** The session is opened elsewhere; the phone stays linked. */
  'replaced',
  /** WhatsApp restricts the account, and unlinks it. */
  'restricted',
  /** WhatsApp bans the account for {@link BAN}; the session waits. */
  'banned',
  /** The code is scanned, but the account requires a passkey. */
  'passkey',
  /** The code is scanned with the phone of another number. */
  'other-number',
] as const;

export type Ending = (typeof ENDINGS)[number];

/** How long a ban lasts, in milliseconds of the phones' clock. */
export const BAN = 300_000;

/** Returns the number of somebody else. */
export function otherNumero(numero: string): string {
  return numero.slice(0, -1) + ((Number(numero.at(-1)) + 1) % 10);
}
