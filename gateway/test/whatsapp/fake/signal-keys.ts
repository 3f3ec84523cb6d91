import {
  addTransactionCapability,
  type BinaryNode,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  encodeBigEndian,
  encodeWAMessage,
  initAuthCreds,
  KEY_BUNDLE_TYPE,
  parseAndInjectE2ESessions,
  proto,
  unpadRandomMax16,
  xmppPreKey,
  xmppSignedPreKey,
} from '@whiskeysockets/baileys';
import { withSharedStorage } from '../../../src/engines/whatsapp/shared-storage.ts';
import './silenced-libsignal.ts';
import { memoryKeys } from './memory-keys.ts';
import { node } from './nodes.ts';
import { silentLogger } from './silent-logger.ts';

/** The end-to-end encryption of one phone: Baileys' own Signal repository, with separate keys. */
export class SignalKeys {
  readonly #creds = initAuthCreds();
  readonly #keys = withSharedStorage(() =>
    addTransactionCapability(memoryKeys(), silentLogger, { maxCommitRetries: 1, delayBetweenTriesMs: 0 }),
  );
  readonly #repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
    { creds: this.#creds, keys: this.#keys },
    silentLogger,
  );
  #nextPreKey = 1;

  /** The account's identity key, which signs the devices that it links. */
  get identity() {
    return this.#creds.signedIdentityKey;
  }

  /** Returns what a sender needs for a first message to this phone. Each one-time key is used once. */
  async bundle(): Promise<BinaryNode[]> {
    const id = this.#nextPreKey++;
    const preKey = Curve.generateKeyPair();
    await this.#keys.set({ 'pre-key': { [id]: preKey } });
    return [
      this.registration,
      node('type', {}, KEY_BUNDLE_TYPE),
      node('identity', {}, this.identity.public),
      xmppSignedPreKey(this.#creds.signedPreKey),
      xmppPreKey(preKey, id),
    ];
  }

  get registration(): BinaryNode {
    return node('registration', {}, encodeBigEndian(this.#creds.registrationId));
  }

  async decrypt(jid: string, type: string | undefined, ciphertext: Uint8Array): Promise<proto.Message> {
    if (type !== 'pkmsg' && type !== 'msg') throw new Error(`A message of type ${type}`);
    const padded = await this.#repository.decryptMessage({ jid, type, ciphertext });
    return proto.Message.decode(unpadRandomMax16(padded));
  }

  /** Encrypts for a device; the first message needs the keys that the device has uploaded. */
  async encrypt(jid: string, bundle: BinaryNode[], message: proto.IMessage): Promise<BinaryNode> {
    const { exists } = await this.#repository.validateSession(jid);
    if (!exists) {
      const keys = node('iq', {}, [node('list', {}, [node('user', { jid }, bundle)])]);
      await parseAndInjectE2ESessions(keys, this.#repository);
    }
    const data = encodeWAMessage(message);
    const { type, ciphertext } = await this.#repository.encryptMessage({ jid, data });
    return node('enc', { v: '2', type }, ciphertext);
  }

  close(): void {
    this.#repository.close?.();
  }
}
