import { randomBytes } from 'node:crypto';
import { type BinaryNode, S_WHATSAPP_NET } from '@whiskeysockets/baileys';
import type { ServerConnection } from './connection.ts';
import type { LinkedDevice } from './linked-device.ts';
import { at, bytesOf, node, result, seconds } from './nodes.ts';
import type { PasskeyRequest } from './passkey.ts';

/** A client that is not linked yet: it shows one ref after the other in its QR code. */
export class Linking {
  readonly connection: ServerConnection;
  /** The client's Noise key and identity key, which the QR text must contain. */
  readonly clientKey: Buffer;
  readonly identityKey: Buffer;
  /** The kind of program as which the client presents itself. */
  readonly platform: number | undefined;
  #passkey: PasskeyRequest | undefined;
  #refs = new Set<string>();
  /** In hexadecimal. */
  readonly #retired = new Set<string>();
  #request: CodeRequest | undefined;
  #finished: ((stanza: BinaryNode) => void) | undefined;

  constructor(connection: ServerConnection, clientKey: Buffer, identityKey: Buffer, platform?: number) {
    this.connection = connection;
    this.clientKey = clientKey;
    this.identityKey = identityKey;
    this.platform = platform;
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

  /** Whether the client was told to replace this secret. */
  hasRetired(secret: Buffer): boolean {
    return this.#retired.has(secret.toString('hex'));
  }

  /** Tells the client to replace its secret, and to show its code with the new one. @param shown in its code, if known */
  refresh(shown?: Buffer, child: RefreshChild = 'companion_reg_refresh'): void {
    if (shown) this.#retired.add(shown.toString('hex'));
    const id = randomBytes(8).toString('hex');
    const attrs = { from: S_WHATSAPP_NET, type: 'companion_reg_refresh', id, t: seconds() };
    this.connection.send(node('notification', attrs, [node(child)]));
  }

  /** What the client has requested with the code that it shows, if it shows one. */
  get request(): CodeRequest | undefined {
    return this.#request;
  }

  /** Takes what a client sends before it is linked; may refuse codes to type. */
  receive(stanza: BinaryNode, refusal: number | 'silently' | undefined): void {
    if (this.#passkey?.receive(stanza)) return;
    // A client without answers to its keep-alives ends its connection within a minute.
    if (stanza.attrs.xmlns === 'w:p') this.connection.send(result(stanza));
    const part = at(stanza, 'link_code_companion_reg');
    if (!part) return;
    if (part.attrs.stage === 'companion_finish') {
      this.connection.send(result(stanza));
      this.#finished?.(part);
      return;
    }
    const wrappedKey = bytesOf(at(part, 'link_code_pairing_wrapped_companion_ephemeral_pub'));
    const noise = bytesOf(at(part, 'companion_server_auth_key_pub'));
    if (!wrappedKey || !noise?.equals(this.clientKey)) throw new Error('Not a request for a code');
    if (refusal === 'silently') return;
    if (refusal !== undefined) {
      const attrs = { id: stanza.attrs.id ?? '', type: 'error', from: S_WHATSAPP_NET };
      this.connection.send(node('iq', attrs, [node('error', { code: String(refusal), text: 'refused' })]));
      return;
    }
    const ref = randomBytes(16);
    this.#request = { number: part.attrs.jid?.split('@')[0] ?? '', wrappedKey, ref };
    const answered = node('link_code_companion_reg', {}, [node('link_code_pairing_ref', {}, ref)]);
    this.connection.send(result(stanza, [answered]));
  }

  /** Sends that the code was typed, and resolves with the client's answer. */
  typed({ ref }: CodeRequest, phoneIdentity: Uint8Array, phoneKey: Uint8Array): Promise<BinaryNode> {
    const attrs = {
      from: S_WHATSAPP_NET,
      type: 'link_code_companion_reg',
      id: randomBytes(8).toString('hex'),
      t: seconds(),
    };
    const content = node('link_code_companion_reg', { stage: 'primary_hello' }, [
      node('link_code_pairing_ref', {}, ref),
      node('primary_identity_pub', {}, phoneIdentity),
      node('link_code_pairing_wrapped_primary_ephemeral_pub', {}, phoneKey),
    ]);
    return new Promise((resolve) => {
      this.#finished = resolve;
      this.connection.send(node('notification', attrs, [content]));
    });
  }

  /** Sends `pair-success`: the client's identity and its account's signature, which the client answers with its own. */
  succeed(
    { jid, lid }: LinkedDevice,
    signedIdentity: Uint8Array,
    businessName: string | undefined,
  ): Promise<BinaryNode> {
    const paired = node('pair-success', {}, [
      node('device-identity', {}, signedIdentity),
      node('platform', { name: 'android' }),
      node('device', { jid, lid }),
      ...(businessName === undefined ? [] : [node('biz', { name: businessName })]),
    ]);
    return this.connection.query(node('iq', { type: 'set', from: S_WHATSAPP_NET }, [paired]));
  }

  /** Requests a passkey instead: the client has to ask its user for it. */
  askForPasskey(request: PasskeyRequest): void {
    this.#passkey = request;
    request.ask();
  }
}

/** What the notification of a refresh contains. */
export type RefreshChild = 'companion_reg_refresh' | 'pair-device-rotate-qr';

/** A client's request for a code to type. */
interface CodeRequest {
  /** That of the phone on which the code can be typed. */
  readonly number: string;
  /** The client's ephemeral key, encrypted with the code. */
  readonly wrappedKey: Buffer;
  readonly ref: Buffer;
}

/** What a phone reads in a QR code. */
interface QrCode {
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
