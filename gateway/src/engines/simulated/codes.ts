import { randomBytes } from 'node:crypto';
import type { PasskeyChallenge } from '../../sessions/engine.ts';

/**
 * How long each code of a start can be scanned, in milliseconds, as measured on WhatsApp. After the last one the
 * attempt is over.
 */
export const CODE_LIVES = [60_000, 20_000, 20_000, 20_000, 20_000, 20_000] as const;

/** The characters of {@link createPairingCode}, as WhatsApp's: none is easily taken for another. */
const PAIRING_CHARACTERS = '123456789ABCDEFGHJKLMNPQRSTVWXYZ';

/** Returns eight characters to type on a phone. */
export function createPairingCode(): string {
  return Array.from(randomBytes(8), (byte) => PAIRING_CHARACTERS[byte % PAIRING_CHARACTERS.length]).join('');
}

/** Returns a code as {@link createPairingCode} writes it, from what somebody has typed. */
export function typedPairingCode(typed: string): string {
  return typed.replace(/[\s-]/g, '').toUpperCase();
}

/** Returns a text of the form and length (237 characters) of WhatsApp's: `2@` and four base64 fields. */
export function createCode(): string {
  return `2@${[75, 32, 32, 32].map((bytes) => randomBytes(bytes).toString('base64')).join(',')}`;
}

/** Returns what a passkey has to sign, in the form of WhatsApp's; any passkey will do. */
export function createChallenge(): PasskeyChallenge {
  return {
    challenge: randomBytes(32).toString('base64url'),
    timeout: 600_000,
    rpId: 'whatsapp.com',
    allowCredentials: [],
    userVerification: 'required',
    extensions: { uvm: true },
  };
}

/** How long after the scan a passkey links the phone without another code, in milliseconds. */
export const PROVEN = 5 * 60_000;

/** Returns a code, such as `42DK-PJN4`, which somebody compares with that on the phone. */
export function createConfirmation(): string {
  const code = createPairingCode();
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
