import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  aesDecryptGCM,
  type BinaryNode,
  bytesToCrockford,
  Curve,
  hkdf,
  hmacSign,
  proto,
  S_WHATSAPP_NET,
  sha256,
} from '@whiskeysockets/baileys';
import type { Linking } from './linking.ts';
import { at, bytesOf, node, result, seconds } from './nodes.ts';

const { CompanionEphemeralIdentity, EncryptedPairingRequest, PairingRequest } = proto;
const { PrimaryEphemeralIdentity, ProloguePayload } = proto;

/** What a client asks for or sends. */
export type PasskeyQuery =
  | 'passkey_request_options'
  | 'ref'
  | 'passkey_prologue'
  | 'companion_nonce'
  | 'encrypted_pairing_request';

/** How WhatsApp and the phone play their part; without any of this, as they should. */
export interface PasskeyPlay {
  /** Whether the request lacks what is to be signed. */
  omitsOptions?: boolean;
  /** Changes what is to be signed. */
  options?: object;
  /** Who requests the passkey. */
  from?: string;
  /** How often a query is refused, or not answered. */
  refuses?: Partial<Record<PasskeyQuery, number>>;
  ignores?: PasskeyQuery;
  /** What comes in place of the phone's key and nonce. */
  continuation?: 'nothing' | 'short' | 'other-key' | 'other-nonce' | 'twice';
  /** When another request comes. */
  asksAgain?: 'at once' | 'with the prologue';
  /** Whether the account is signed with the secret that the client has replaced. */
  signsWithOldSecret?: boolean;
}

/** WhatsApp's and the phone's part in linking one client to an account that requires a passkey. */
export class PasskeyRequest {
  /** Whether each of the client's prologues had a proof. */
  readonly proofs: boolean[] = [];
  /** What was signed, as it came. */
  readonly assertions: string[] = [];
  /** What the phone shows to compare. */
  code: string | undefined;
  readonly #linking: Linking;
  readonly #play: PasskeyPlay;
  /** The one that the phone knows from the code. */
  readonly #secret: Buffer;
  /** Signs the account with a secret. */
  readonly #sign: (secret: Buffer) => void;
  readonly #refused = new Map<string, number>();
  readonly #keys = Curve.generateKeyPair();
  readonly #nonce = randomBytes(32);
  readonly #challenges = new Set<string>();
  #options = Buffer.alloc(0);
  #ref: string | undefined;
  #identity: Buffer | undefined;
  #commitment: Buffer | undefined;
  #salt = '';

  constructor(linking: Linking, play: PasskeyPlay, secret: Buffer, sign: (secret: Buffer) => void) {
    this.#linking = linking;
    this.#play = play;
    this.#secret = secret;
    this.#sign = sign;
  }

  /** Requests the passkey, as WhatsApp does after a scan, or after a code was typed. */
  ask(): void {
    this.#announce();
    if (this.#play.asksAgain === 'at once') this.#announce();
  }

  #announce(): void {
    const { omitsOptions, from = S_WHATSAPP_NET } = this.#play;
    this.#renew();
    this.#notify('passkey_prologue_request', omitsOptions ? [] : [node(OPTIONS, {}, this.#options)], from);
  }

  /** Answers a client; false if it asks something else. */
  receive(stanza: BinaryNode): boolean {
    const [child] = Array.isArray(stanza.content) ? stanza.content : [];
    const tag = QUERIES.find((one) => one === child?.tag);
    if (stanza.tag !== 'iq' || !child || !tag) return false;
    const { id = '', ...attrs } = stanza.attrs;
    const type = tag === 'ref' || tag === OPTIONS ? 'get' : 'set';
    assert.deepEqual(attrs, { to: S_WHATSAPP_NET, xmlns: 'md', type });
    const { refuses, ignores } = this.#play;
    const refused = this.#refused.get(tag) ?? 0;
    if (ignores === tag) return true;
    if (refused < (refuses?.[tag] ?? 0)) {
      this.#refused.set(tag, refused + 1);
      if (tag === 'passkey_prologue') this.#takePrologue(child);
      const error = node('error', { code: '400', text: 'bad-request' });
      this.#linking.connection.send(node('iq', { id, type: 'error', from: S_WHATSAPP_NET }, [error]));
      return true;
    }
    const answer = this.#take(tag, child);
    this.#linking.connection.send(result(stanza, answer));
    this.#goOn(tag, child);
    return true;
  }

  #take(tag: PasskeyQuery, child: BinaryNode): BinaryNode[] | undefined {
    switch (tag) {
      case OPTIONS:
        this.#renew();
        return [node(OPTIONS, {}, this.#options)];
      case 'ref':
        this.#ref = `2@${randomBytes(16).toString('base64')}`;
        return [node('ref', {}, Buffer.from(this.#ref))];
      case 'passkey_prologue':
        this.#takePrologue(child);
        return undefined;
      case 'companion_nonce': {
        const nonce = bytesOf(child) ?? assert.fail('no nonce');
        const identity = this.#identity ?? assert.fail('no prologue');
        assert.ok(this.#commitment?.equals(sha256(Buffer.concat([identity, nonce]))), 'another nonce');
        const digest = sha256(Buffer.concat([nonce, this.#keys.public]));
        const five = digest.subarray(0, 5).map((byte, place) => byte ^ (this.#nonce[place] ?? 0));
        const code = bytesToCrockford(Buffer.from(five));
        this.code = `${code.slice(0, 4)}-${code.slice(4)}`;
        return undefined;
      }
      case 'encrypted_pairing_request':
        return undefined;
    }
  }

  #goOn(tag: PasskeyQuery, child: BinaryNode): void {
    if (tag === 'passkey_prologue') {
      if (this.#play.asksAgain === 'with the prologue') this.#announce();
      this.#continue();
    }
    if (tag === 'encrypted_pairing_request') this.#takeRequest(bytesOf(child) ?? assert.fail('no request'));
  }

  #takePrologue(child: BinaryNode): void {
    const assertion = String(bytesOf(at(child, 'webauthn_assertion')));
    const { id, rawId, type, response, ...others } = JSON.parse(assertion);
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    // Its fields in this order, and no others.
    const fields = { clientDataJSON, authenticatorData, signature, userHandle };
    assert.equal(assertion, JSON.stringify({ id, rawId, type, response: fields }));
    assert.deepEqual(others, {});
    assert.doesNotMatch(assertion, /[+/=]/);
    const credential = bytesOf(at(child, 'credential_id'));
    assert.equal(credential?.toString('base64url'), rawId);
    const { challenge } = JSON.parse(String(Buffer.from(clientDataJSON, 'base64url')));
    assert.ok(this.#challenges.delete(challenge), 'what was signed was not asked for, or was used before');
    this.assertions.push(assertion);

    const payload = bytesOf(at(child, 'prologue_payload')) ?? assert.fail('no payload');
    const { companionEphemeralIdentity, commitment } = ProloguePayload.decode(payload);
    const identity = Buffer.from(companionEphemeralIdentity ?? []);
    const { publicKey, deviceType, ref } = CompanionEphemeralIdentity.decode(identity);
    assert.deepEqual([publicKey?.length, deviceType], [32, this.#linking.platform]);
    assert.equal(ref, this.#ref, 'not the ref that was given last');
    this.#ref = undefined;
    this.#salt = `Companion Pairing ${deviceType} with ref ${ref}`;
    this.#identity = identity;
    this.#commitment = Buffer.from(commitment?.hash ?? []);

    const proof = bytesOf(at(child, 'pairing_handoff_proof'));
    const key = Buffer.from(hkdf(this.#secret, 32, { info: 'shortcake-passkey-handoff-v1' }));
    if (proof) assert.ok(proof.equals(hmacSign(payload, key)), 'a wrong proof');
    this.proofs.push(proof !== undefined);
  }

  #continue(): void {
    const { continuation } = this.#play;
    if (continuation === 'nothing') return;
    const lies: Partial<Record<string, Uint8Array>> = {
      short: this.#keys.public.subarray(1),
      'other-key': Curve.generateKeyPair().public,
    };
    const identity = PrimaryEphemeralIdentity.encode({
      publicKey: lies[continuation ?? ''] ?? this.#keys.public,
      nonce: continuation === 'other-nonce' ? randomBytes(32) : this.#nonce,
    }).finish();
    const content = [node('primary_ephemeral_identity', {}, identity)];
    this.#notify('crsc_continuation', content);
    if (continuation === 'twice') this.#notify('crsc_continuation', content);
  }

  #takeRequest(request: Buffer): void {
    const { encryptedPayload, iv } = EncryptedPairingRequest.decode(request);
    const { publicKey } = CompanionEphemeralIdentity.decode(this.#identity ?? assert.fail('no prologue'));
    assert.ok(encryptedPayload && iv?.length === 12 && publicKey);
    const salt = Buffer.from(this.#salt);
    const shared = Curve.sharedKey(this.#keys.private, publicKey);
    const key = hkdf(shared, 32, { salt, info: 'Pairing Information Encryption Key' });
    const opened = open(Buffer.from(encryptedPayload), Buffer.from(key), Buffer.from(iv));
    // Somebody is between the two: the phone can read nothing.
    if (!opened) return;
    const { companionPublicKey, companionIdentityKey, advSecret } = PairingRequest.decode(opened);
    const secret = Buffer.from(advSecret ?? []);
    assert.ok(this.#linking.clientKey.equals(companionPublicKey ?? Buffer.alloc(0)));
    assert.ok(this.#linking.identityKey.equals(companionIdentityKey ?? Buffer.alloc(0)));
    assert.equal(secret.length, 32);
    assert.ok(!secret.equals(this.#secret), 'the secret was not replaced');
    this.#sign(this.#play.signsWithOldSecret ? this.#secret : secret);
  }

  #notify(type: string, content: BinaryNode[], from: string = S_WHATSAPP_NET): void {
    const attrs = { from, type, id: randomBytes(8).toString('hex'), t: seconds() };
    this.#linking.connection.send(node('notification', attrs, content));
  }

  /** What is to be signed, in the form of WhatsApp's. */
  #renew(): void {
    const challenge = randomBytes(32).toString('base64url');
    this.#challenges.clear();
    this.#challenges.add(challenge);
    const options = {
      challenge,
      timeout: 600_000,
      rpId: 'whatsapp.com',
      allowCredentials: [],
      userVerification: 'required',
      extensions: { uvm: true },
      ...this.#play.options,
    };
    this.#options = Buffer.from(JSON.stringify(options));
  }
}

const OPTIONS = 'passkey_request_options';
const QUERIES: readonly PasskeyQuery[] = [
  OPTIONS,
  'ref',
  'passkey_prologue',
  'companion_nonce',
  'encrypted_pairing_request',
];

function open(sealed: Buffer, key: Buffer, iv: Buffer): Buffer | undefined {
  try {
    return aesDecryptGCM(sealed, key, iv, Buffer.alloc(0));
  } catch {
    return undefined;
  }
}
