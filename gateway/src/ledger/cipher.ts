import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
/** Lengths of the random start value and of the tag that proves a value untouched, in bytes. */
const IV = 12;
const TAG = 16;

/** The form of values in the store. */
export interface Cipher {
  /** The id of the key; null if values are not encrypted. */
  readonly id: string | null;
  /** @param place the value's place: it can be opened nowhere else */
  seal(text: string, place: readonly string[]): string;
  /** Throws a {@link DecryptionError}. */
  open(sealed: string, place: readonly string[]): string;
}

/** A stored value was encrypted with another key, belongs elsewhere, or was changed. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
}

export const PLAIN: Cipher = { id: null, seal: (text) => text, open: (text) => text };

/** Returns the cipher of a key of 32 bytes: AES-256-GCM, in base64. */
export function cipherOf(key: Buffer): Cipher {
  return {
    id: createHash('sha256').update(key).digest('hex').slice(0, 8),
    seal(text, place) {
      const iv = randomBytes(IV);
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(bytesOf(place));
      const sealed = [cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString('base64');
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed, 'base64');
      try {
        const tag = bytes.subarray(IV, IV + TAG);
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV), { authTagLength: TAG });
        decipher.setAAD(bytesOf(place)).setAuthTag(tag);
        return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8');
      } catch {
        throw new DecryptionError('The value cannot be decrypted');
      }
    },
  };
}

/** Returns a sealed value, sealed with another cipher. Throws a {@link DecryptionError}. */
export function reseal(from: Cipher, to: Cipher, sealed: string, place: readonly string[]): string {
  return to.seal(from.open(sealed, place), place);
}

function bytesOf(place: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(place));
}
