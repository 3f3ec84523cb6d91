import {
  aesDecryptGCM,
  aesEncryptGCM,
  Curve,
  hkdf,
  type KeyPair,
  NOISE_MODE,
  NOISE_WA_HEADER,
  proto,
  sha256,
} from '@whiskeysockets/baileys';

const NOTHING = Buffer.alloc(0);

/** The server's identity, the same for all connections. */
export interface ServerIdentity {
  key: KeyPair;
  certificate: Uint8Array;
}

/** One direction of an encrypted connection: AES-GCM under one key, with a counter as nonce. */
class Cipher {
  readonly #key: Uint8Array;
  #count = 0;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  #nonce(): Uint8Array {
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(this.#count++, 8);
    return nonce;
  }

  encrypt(plaintext: Uint8Array, associated: Uint8Array = NOTHING): Buffer {
    return aesEncryptGCM(plaintext, this.#key, this.#nonce(), associated);
  }

  decrypt(ciphertext: Uint8Array, associated: Uint8Array = NOTHING): Buffer {
    return aesDecryptGCM(ciphertext, this.#key, this.#nonce(), associated);
  }
}

/** The server's side of Noise XX; Baileys exports the client's. */
export class ServerNoise {
  readonly #identity: ServerIdentity;
  readonly #ephemeral = Curve.generateKeyPair();
  #hash = Buffer.from(NOISE_MODE);
  #salt: Uint8Array = this.#hash;
  /** During the handshake both directions share one key, which changes with each secret mixed in. */
  #handshake = new Cipher(this.#hash);
  #transport: { incoming: Cipher; outgoing: Cipher } | undefined;

  constructor(identity: ServerIdentity) {
    this.#identity = identity;
    this.#authenticate(NOISE_WA_HEADER);
  }

  get established(): boolean {
    return this.#transport !== undefined;
  }

  /** `→ e`, then `← e, ee, s, es` with the certificate: takes ClientHello, returns ServerHello. */
  greet(message: Uint8Array): Uint8Array {
    const client = proto.HandshakeMessage.decode(message).clientHello?.ephemeral;
    if (!client) throw new Error('No ClientHello');
    const { key, certificate } = this.#identity;
    this.#authenticate(client);
    this.#authenticate(this.#ephemeral.public);
    this.#mix(Curve.sharedKey(this.#ephemeral.private, client));
    const encryptedKey = this.#encrypt(key.public);
    this.#mix(Curve.sharedKey(key.private, client));
    const payload = this.#encrypt(certificate);
    return proto.HandshakeMessage.encode({
      serverHello: { ephemeral: this.#ephemeral.public, static: encryptedKey, payload },
    }).finish();
  }

  /** `→ s, se`: takes ClientFinish, returns the client's payload. From here on the connection is encrypted. */
  finish(message: Uint8Array): { clientKey: Buffer; payload: proto.ClientPayload } {
    const finish = proto.HandshakeMessage.decode(message).clientFinish;
    if (!finish?.static || !finish.payload) throw new Error('No ClientFinish');
    const clientKey = this.#decrypt(finish.static);
    this.#mix(Curve.sharedKey(this.#ephemeral.private, clientKey));
    const payload = proto.ClientPayload.decode(this.#decrypt(finish.payload));
    const [incoming, outgoing] = this.#derive(NOTHING);
    this.#transport = { incoming: new Cipher(incoming), outgoing: new Cipher(outgoing) };
    return { clientKey, payload };
  }

  encrypt(plaintext: Uint8Array): Buffer {
    if (!this.#transport) throw new Error('The handshake is not over');
    return this.#transport.outgoing.encrypt(plaintext);
  }

  decrypt(ciphertext: Uint8Array): Buffer {
    if (!this.#transport) throw new Error('The handshake is not over');
    return this.#transport.incoming.decrypt(ciphertext);
  }

  #authenticate(data: Uint8Array): void {
    this.#hash = Buffer.from(sha256(Buffer.concat([this.#hash, data])));
  }

  #encrypt(plaintext: Uint8Array): Buffer {
    const ciphertext = this.#handshake.encrypt(plaintext, this.#hash);
    this.#authenticate(ciphertext);
    return ciphertext;
  }

  #decrypt(ciphertext: Uint8Array): Buffer {
    const plaintext = this.#handshake.decrypt(ciphertext, this.#hash);
    this.#authenticate(ciphertext);
    return plaintext;
  }

  #derive(secret: Uint8Array): [Uint8Array, Uint8Array] {
    const derived = hkdf(Buffer.from(secret), 64, { salt: Buffer.from(this.#salt), info: '' });
    return [derived.subarray(0, 32), derived.subarray(32)];
  }

  #mix(secret: Uint8Array): void {
    const [salt, key] = this.#derive(secret);
    this.#salt = salt;
    this.#handshake = new Cipher(key);
  }
}
