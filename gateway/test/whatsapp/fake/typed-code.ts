import { randomBytes } from 'node:crypto';
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  Curve,
  derivePairingCodeKey,
  hkdf,
  type KeyPair,
} from '@whiskeysockets/baileys';

// Linking by a code that is typed on the phone: the two sides exchange ephemeral keys under a key derived from the code,
// then agree on the ADV secret, which a QR code would contain.

const NOTHING = Buffer.alloc(0);

/** The phone's side of one exchange. */
export class TypedCode {
  readonly #code: string;
  readonly #ephemeral = Curve.generateKeyPair();

  constructor(code: string) {
    this.#code = code;
  }

  /** Returns the phone's ephemeral key, as the client expects it: salt, IV, encrypted key. */
  async wrappedKey(): Promise<Buffer> {
    const [salt, iv] = [randomBytes(32), randomBytes(16)];
    const key = await derivePairingCodeKey(this.#code, salt);
    return Buffer.concat([salt, iv, aesEncryptCTR(this.#ephemeral.public, key, iv)]);
  }

  /**
   * Returns the ADV secret. Throws if the client knows another code.
   *
   * @param wrapped the client's ephemeral key, of its request for the code
   * @param bundle both identity keys and random bytes, encrypted, of its answer
   */
  async advSecret(
    wrapped: Buffer,
    bundle: Buffer,
    identity: KeyPair,
    clientIdentity: Buffer,
  ): Promise<Buffer> {
    const key = await derivePairingCodeKey(this.#code, wrapped.subarray(0, 32));
    const clientEphemeral = aesDecryptCTR(wrapped.subarray(48), key, wrapped.subarray(32, 48));
    const shared = Buffer.from(Curve.sharedKey(this.#ephemeral.private, clientEphemeral));
    const opened = this.#open(bundle, shared);
    const keys = Buffer.concat([clientIdentity, identity.public]);
    if (!opened.subarray(0, 64).equals(keys)) throw new Error('Not the keys of this client and this phone');
    const identities = Curve.sharedKey(identity.private, clientIdentity);
    return derive(Buffer.concat([shared, identities, opened.subarray(64)]), { info: 'adv_secret' });
  }

  #open(bundle: Buffer, shared: Buffer): Buffer {
    const key = derive(shared, {
      salt: bundle.subarray(0, 32),
      info: 'link_code_pairing_key_bundle_encryption_key',
    });
    try {
      return aesDecryptGCM(bundle.subarray(44), key, bundle.subarray(32, 44), NOTHING);
    } catch {
      throw new Error('Wrong code');
    }
  }
}

function derive(from: Buffer, options: { salt?: Buffer; info: string }): Buffer {
  return Buffer.from(hkdf(from, 32, options));
}
