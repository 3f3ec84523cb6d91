import { randomBytes } from 'node:crypto';
import type { AuthenticationCreds, KeyPair } from '@whiskeysockets/baileys';
import type { Library } from './library.ts';

const SIZE = 32;
const NOTHING = Buffer.alloc(0);

/** Returns the key of the proof that this device is the one whose code the phone has scanned, or typed. @param secret in base64 */
export function handoffKey(library: Library, secret: string): Uint8Array {
  return library.hkdf(Buffer.from(secret, 'base64'), SIZE, { info: 'shortcake-passkey-handoff-v1' });
}

/** The phone's key and nonce are not what they have to be. */
export class InvalidIdentity extends Error {}

/** The device's half of the exchange of keys with a phone whose account requires a passkey. */
export class PasskeyExchange {
  readonly #library: Library;
  readonly #keys: KeyPair;
  /** Ends the sentence that salts the key. */
  readonly #subject: string;
  /** Revealed to the phone once it has sent its own; the payload commits to it before. */
  readonly nonce: Buffer;
  /** What begins the exchange. */
  readonly payload: Buffer;

  /** @param ref WhatsApp's name of this exchange */
  constructor(
    library: Library,
    ref: string,
    keys = library.Curve.generateKeyPair(),
    nonce = randomBytes(SIZE),
  ) {
    const { CompanionEphemeralIdentity, ProloguePayload, DeviceProps } = library.proto;
    // The library presents itself as one.
    const deviceType = DeviceProps.PlatformType.CHROME;
    const identity = CompanionEphemeralIdentity.encode({ publicKey: keys.public, deviceType, ref }).finish();
    const hash = library.sha256(Buffer.concat([identity, nonce]));
    this.#library = library;
    this.#keys = keys;
    this.#subject = `${deviceType} with ref ${ref}`;
    this.nonce = nonce;
    this.payload = Buffer.from(
      ProloguePayload.encode({ companionEphemeralIdentity: identity, commitment: { hash } }).finish(),
    );
  }

  /**
   * Returns what device and phone agree on: a code, which is the same on both unless somebody is between them, and the key
   * for what the device sends. Throws an {@link InvalidIdentity}. @param identity that of the phone, as it comes
   */
  agree(identity: Uint8Array) {
    const { proto, Curve, sha256, hkdf, bytesToCrockford } = this.#library;
    try {
      const { publicKey, nonce } = proto.PrimaryEphemeralIdentity.decode(identity);
      if (publicKey?.length !== SIZE || nonce?.length !== SIZE) throw new InvalidIdentity();
      const digest = sha256(Buffer.concat([this.nonce, publicKey]));
      const five = digest.subarray(0, 5).map((byte, place) => byte ^ (nonce[place] ?? 0));
      const code = bytesToCrockford(Buffer.from(five));
      const salt = Buffer.from(`Companion Pairing ${this.#subject}`);
      const info = 'Pairing Information Encryption Key';
      const key = hkdf(Curve.sharedKey(this.#keys.private, publicKey), SIZE, { salt, info });
      return { code: `${code.slice(0, 4)}-${code.slice(4)}`, key };
    } catch {
      throw new InvalidIdentity();
    }
  }
}

type DeviceKeys = Pick<AuthenticationCreds, 'noiseKey' | 'signedIdentityKey' | 'advSecretKey'>;

/** Encrypts the keys of the device, and the secret with which the phone authenticates the account for it. */
export function sealPairingRequest(
  library: Library,
  { noiseKey, signedIdentityKey, advSecretKey }: DeviceKeys,
  key: Uint8Array,
  iv = randomBytes(12),
): Uint8Array {
  const { proto, aesEncryptGCM } = library;
  const request = proto.PairingRequest.encode({
    companionPublicKey: noiseKey.public,
    companionIdentityKey: signedIdentityKey.public,
    advSecret: Buffer.from(advSecretKey, 'base64'),
  }).finish();
  const encryptedPayload = aesEncryptGCM(request, key, iv, NOTHING);
  return proto.EncryptedPairingRequest.encode({ encryptedPayload, iv }).finish();
}
