import { randomBytes } from 'node:crypto';
import { type BinaryNode, S_WHATSAPP_NET } from '@whiskeysockets/baileys';
import type { ServerConnection } from './connection.ts';
import type { LinkedDevice } from './linked-device.ts';
import { node, seconds } from './nodes.ts';

/** A client that is not linked yet: it shows one ref after the other in its QR code. */
export class Linking {
  readonly connection: ServerConnection;
  /** The client's Noise key and identity key, which the QR text must contain. */
  readonly clientKey: Buffer;
  readonly identityKey: Buffer;
  #refs = new Set<string>();

  constructor(connection: ServerConnection, clientKey: Buffer, identityKey: Buffer) {
    this.connection = connection;
    this.clientKey = clientKey;
    this.identityKey = identityKey;
  }

  /**
   * Sends `pair-device`. The client shows the first ref at once, and decides itself when to show the next; it treats an
   * empty offer like used-up refs.
   */
  offer(count: number): void {
    this.#refs = new Set(Array.from({ length: count }, () => `2@${randomBytes(90).toString('base64')}`));
    const refs = [...this.#refs].map((ref) => node('ref', {}, Buffer.from(ref)));
    const iq = node('iq', { type: 'set', from: S_WHATSAPP_NET, xmlns: 'md' }, [
      node('pair-device', {}, refs),
    ]);
    // The client's result is empty, and nothing waits for it.
    this.connection.query(iq).catch(() => {});
  }

  knows(ref: string): boolean {
    return this.#refs.has(ref);
  }

  /** Sends `pair-success`: the client's identity and its account's signature, which the client answers with its own. */
  succeed({ jid, lid }: LinkedDevice, signedIdentity: Uint8Array): Promise<BinaryNode> {
    const paired = node('pair-success', {}, [
      node('device-identity', {}, signedIdentity),
      node('platform', { name: 'android' }),
      node('device', { jid, lid }),
    ]);
    return this.connection.query(node('iq', { type: 'set', from: S_WHATSAPP_NET }, [paired]));
  }

  /** Requests a passkey instead: the client would have to ask its user for it. */
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
