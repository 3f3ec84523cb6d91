import { randomBytes } from 'node:crypto';
import { type BinaryNode, S_WHATSAPP_NET } from '@whiskeysockets/baileys';
import type { Connection } from './connection.ts';
import type { LinkedDevice } from './linked-device.ts';
import { node, seconds } from './nodes.ts';

/** A client that nobody has linked yet: it shows one ref after the other in its QR code. */
export class Linking {
  readonly connection: Connection;
  /** The client's Noise key and identity key, which the QR text must name too. */
  readonly clientKey: Buffer;
  readonly identityKey: Buffer;
  #refs = new Set<string>();

  constructor(connection: Connection, clientKey: Buffer, identityKey: Buffer) {
    this.connection = connection;
    this.clientKey = clientKey;
    this.identityKey = identityKey;
  }

  /**
   * `pair-device`. The client shows the first ref at once, and decides itself when to show the next one; of an offer
   * without refs it makes what it makes of refs that are used up.
   */
  offer(count: number): void {
    this.#refs = new Set(Array.from({ length: count }, () => `2@${randomBytes(90).toString('base64')}`));
    const refs = [...this.#refs].map((ref) => node('ref', {}, Buffer.from(ref)));
    const iq = node('iq', { type: 'set', from: S_WHATSAPP_NET, xmlns: 'md' }, [
      node('pair-device', {}, refs),
    ]);
    // Nothing waits for the client's bare result.
    this.connection.query(iq).catch(() => {});
  }

  knows(ref: string): boolean {
    return this.#refs.has(ref);
  }

  /** `pair-success`: who the client is from now on, and its account's signature, which it answers with its own. */
  succeed({ jid, lid }: LinkedDevice, signedIdentity: Uint8Array): Promise<BinaryNode> {
    const paired = node('pair-success', {}, [
      node('device-identity', {}, signedIdentity),
      node('platform', { name: 'android' }),
      node('device', { jid, lid }),
    ]);
    return this.connection.query(node('iq', { type: 'set', from: S_WHATSAPP_NET }, [paired]));
  }

  /** Instead of success: the client would have to ask its own user for a passkey. */
  askForPasskey(): void {
    const options = JSON.stringify({
      challenge: 'ZmFrZQ',
      rpId: 'whatsapp.com',
      userVerification: 'required',
    });
    const attrs = { from: S_WHATSAPP_NET, type: 'passkey_prologue_request', id: '1', t: seconds() };
    const content = [node('passkey_request_options', {}, Buffer.from(options))];
    this.connection.send(node('notification', attrs, content));
  }
}

/** What a phone reads in a QR code. */
export interface QrCode {
  ref: string;
  clientKey: Buffer;
  identityKey: Buffer;
  advSecret: Buffer;
}

/** `https://wa.me/settings/linked_devices#ref,noise key,identity key,ADV secret,platform` */
export function readQr(text: string): QrCode {
  const [ref, clientKey, identityKey, advSecret] = text.slice(text.indexOf('#') + 1).split(',');
  if (!ref || !clientKey || !identityKey || !advSecret) throw new Error('Not a QR code of WhatsApp');
  const [noise, identity, secret] = [clientKey, identityKey, advSecret].map((part) =>
    Buffer.from(part, 'base64'),
  );
  if (!noise || !identity || !secret) throw new Error('Not a QR code of WhatsApp');
  return { ref, clientKey: noise, identityKey: identity, advSecret: secret };
}
