import { randomBytes } from 'node:crypto';
import { type BinaryNode, jidEncode, proto, S_WHATSAPP_NET } from '@whiskeysockets/baileys';
import { isSignedByDevice, signDevice } from './device-identity.ts';
import { LinkedDevice } from './linked-device.ts';
import { type Linking, readQr } from './linking.ts';
import { at, bytesOf, node, seconds } from './nodes.ts';
import { type PasskeyPlay, PasskeyRequest } from './passkey.ts';
import { SignalKeys } from './signal-keys.ts';
import { TypedCode } from './typed-code.ts';

/** A text as the phone's owner reads it. */
interface TextMessage {
  id: string;
  /** The other side's number. */
  number: string;
  text: string;
}

/** A text that the phone has received, and the device that hears what becomes of it. */
interface Arrival {
  readonly id: string;
  readonly sender: LinkedDevice;
  /** The phone's JID, as the sender wrote it. */
  readonly to: string;
}

/** How a phone finds the clients that can be linked. */
export interface Linkings {
  byRef(ref: string): Linking | undefined;
  /** Returns the client that has requested a code for this number. */
  byNumber(number: string): Linking | undefined;
}

/** A phone with WhatsApp, identified by its number: it links devices and receives messages. */
export class Phone {
  readonly number: string;
  readonly jid: string;
  readonly lidUser: string;
  readonly keys = new SignalKeys();
  /** Decrypted messages from others, in the order of arrival. */
  readonly messages: TextMessage[] = [];
  /** Messages that its own linked devices sent to others: the phone gets a copy of each. */
  readonly sent: TextMessage[] = [];
  /** How many devices it has linked, that is, how many of its scans have succeeded. */
  links = 0;
  /** How often a device of it logged in while the same device was still logged in, and ended that with a 440. */
  conflicts = 0;
  /** How often its linked devices have logged in. */
  logins = 0;
  /** How many messages to it WhatsApp has refused or lost. */
  undelivered = 0;
  /** Why messages that arrived could not be read. */
  readonly failures: unknown[] = [];
  /** Whether the account requires a passkey to link a device: the scan then stops half-way, and the client goes on. */
  asksForPasskey = false;
  /** What goes otherwise than it should with the passkey. */
  passkeyPlay: PasskeyPlay = {};
  /** The last client that was asked for the passkey. */
  passkey: PasskeyRequest | undefined;
  /**
   * Whether WhatsApp has the client replace its secret after the phone has scanned its code, which then links nothing, or
   * has answered its code to type, which links nevertheless.
   */
  causesRefresh = false;
  /** Whether and until when the account may not write to new contacts, in seconds since 1970. */
  limit: { readonly until?: number } | undefined;
  /** What a client gets that asks about the limit. */
  limitAnswer: 'limit' | 'empty' | 'none' = 'limit';
  /** How often its linked devices have asked about the limit. */
  limitQueries = 0;
  /** Whether to cut the connection at the next request to remove a device, which WhatsApp then does not receive. */
  losesRemoval = false;
  readonly #devices = new Map<number, LinkedDevice>();
  /** The name of a business account. */
  businessName: string | undefined;
  readonly #arrivals: Arrival[] = [];
  readonly #linkings: Linkings;
  readonly #preKeys: number;
  #lastDevice = 0;
  #lastMessage = 0;

  constructor(number: string, lidUser: string, linkings: Linkings, preKeys: number) {
    this.number = number;
    this.jid = jidEncode(number, 's.whatsapp.net');
    this.lidUser = lidUser;
    this.#linkings = linkings;
    this.#preKeys = preKeys;
  }

  get lid(): string {
    return jidEncode(this.lidUser, 'lid');
  }

  get devices(): readonly LinkedDevice[] {
    return [...this.#devices.values()];
  }

  /** Whether one of its linked devices is logged in. */
  get online(): boolean {
    return this.devices.some(({ connection }) => connection);
  }

  device(id: number): LinkedDevice | undefined {
    return this.#devices.get(id);
  }

  /** Scans a QR code and links the client that shows it. Resolves when the client has signed and is told to restart. */
  async scan(qrText: string): Promise<void> {
    const code = readQr(qrText);
    const linking = this.#linkings.byRef(code.ref);
    if (!linking?.clientKey.equals(code.clientKey) || !linking.identityKey.equals(code.identityKey)) {
      throw new Error('This QR code is not valid, or not any more');
    }
    if (this.causesRefresh) linking.refresh(code.advSecret);
    if (linking.hasRetired(code.advSecret)) throw new Error('Could not link device');
    await this.#link(linking, async () => code.advSecret);
  }

  /** Types a code that a client shows for this number, and links the client; resolves like `scan`. */
  async type(code: string): Promise<void> {
    const linking = this.#linkings.byNumber(this.number);
    if (!linking?.request) throw new Error('No code for this number');
    const { request, identityKey } = linking;
    const typed = new TypedCode(code);
    await this.#link(linking, async () => {
      const answer = await linking.typed(request, this.keys.identity.public, await typed.wrappedKey());
      const bundle = bytesOf(at(answer, 'link_code_pairing_wrapped_key_bundle'));
      const clientIdentity = bytesOf(at(answer, 'companion_identity_public'));
      if (!bundle || !clientIdentity?.equals(identityKey)) throw new Error('Not the client with the code');
      if (this.causesRefresh) linking.refresh();
      return typed.advSecret(request.wrappedKey, bundle, this.keys.identity, clientIdentity);
    });
  }

  /** @param findSecret returns what proves that the phone was held by who reads the client's screen */
  async #link(linking: Linking, findSecret: () => Promise<Buffer>): Promise<void> {
    const secret = await findSecret();
    if (!this.asksForPasskey) return this.#sign(linking, secret);
    this.passkey = new PasskeyRequest(linking, this.passkeyPlay, secret, (other) => {
      // A client that takes no other secret ends the line.
      this.#sign(linking, other).catch(() => {});
    });
    linking.askForPasskey(this.passkey);
  }

  /** Makes a client a device of the account. @param secret proves that its phone is */
  async #sign(linking: Linking, secret: Buffer): Promise<void> {
    const { identityKey } = linking;
    const device = new LinkedDevice(
      ++this.#lastDevice,
      this.number,
      this.lidUser,
      linking.clientKey,
      this.#preKeys,
    );
    const signed = signDevice(this.keys.identity, identityKey, device.id, secret);
    const answer = await linking.succeed(device, signed, this.businessName);
    const identity = bytesOf(at(answer, 'pair-device-sign', 'device-identity'));
    if (!identity || !isSignedByDevice(identity, this.keys.identity, identityKey)) {
      throw new Error('The device has not signed');
    }
    this.#devices.set(device.id, device);
    this.links++;
    if (!linking.connection.reach('signed')) linking.connection.endWithError(515);
  }

  /** Unlinks all devices, as 'Log out' in the phone's list does; disconnected ones learn it at their next login. */
  unlink(): void {
    for (const device of this.devices) this.forget(device);
  }

  /** Unlinks one device. */
  forget(device: LinkedDevice): void {
    this.#devices.delete(device.id);
    device.connection?.endWithError(401, node('conflict', { type: 'device_removed' }));
  }

  /** Logs in elsewhere with the same credentials. */
  replaceElsewhere(): void {
    for (const { connection } of this.devices)
      connection?.endWithError(undefined, node('conflict', { type: 'replaced' }));
  }

  /** Cuts the connections of its devices, without a goodbye. */
  cutLine(): void {
    for (const { connection } of this.devices) connection?.cut();
  }

  /** Keeps the connections open, but sends nothing more on them. */
  silenceLine(): void {
    for (const { connection } of this.devices) if (connection) connection.silent = true;
  }

  /** Keeps the sessions of its devices from working, though their keep-alives are answered. */
  makeZombies(): void {
    for (const { connection } of this.devices) if (connection) connection.zombie = true;
  }

  /** What WhatsApp tells of the account's limit. */
  get timelock() {
    const ends = this.limit?.until === undefined ? {} : { time_enforcement_ends: String(this.limit.until) };
    return { is_active: this.limit !== undefined, enforcement_type: 'DEFAULT', ...ends };
  }

  /** Keeps the account from writing to new contacts, or no longer, and tells its linked devices. */
  setLimit(limit: { readonly until?: number } | undefined): void {
    this.limit = limit;
    const data = { xwa2_notify_account_reachout_timelock: this.timelock };
    this.#notify('NotificationUserReachoutTimelockUpdate', data);
  }

  /** Tells its linked devices how many new chats the account may begin. */
  tellQuota(quota: object): void {
    this.#notify('MessageCappingInfoNotification', {
      xwa2_notify_new_chat_messages_capping_info_update: quota,
    });
  }

  #notify(op_name: string, data: object): void {
    const attrs = { from: S_WHATSAPP_NET, type: 'mex', id: `FAKE${++this.#lastMessage}`, t: seconds() };
    const update = node('update', { op_name }, Buffer.from(JSON.stringify({ data })));
    for (const { connection } of this.devices) connection?.send(node('notification', attrs, [update]));
  }

  /** Ends the stream from the server's side: 500, 503, …; 428 ends it without a reason. */
  endStream(code: number): void {
    for (const { connection } of this.devices) {
      if (code === 428) connection?.end(node('xmlstreamend'));
      else connection?.endWithError(code);
    }
  }

  /** Sends a message to the connected linked devices of another phone. */
  async write(to: Phone, text: string): Promise<void> {
    const id = `FAKE${this.number}${++this.#lastMessage}`;
    for (const { connection, jid, bundle } of to.devices) {
      if (!connection) continue;
      const enc = await this.keys.encrypt(jid, bundle, { conversation: text });
      const attrs = { id, from: this.jid, type: 'text', t: seconds(), notify: this.number };
      connection.send(node('message', attrs, [enc]));
    }
  }

  /** Gives another phone the token that comes with a message of its owner. */
  trust({ devices }: Phone): void {
    const attrs = { from: this.jid, sender_lid: this.lid, type: 'privacy_token', t: seconds() };
    for (const { connection, jid } of devices) {
      const token = node('token', { jid, t: seconds(), type: 'trusted_contact' }, Buffer.from('token'));
      const id = `FAKE${this.number}${++this.#lastMessage}`;
      connection?.send(node('notification', { ...attrs, id }, [node('tokens', {}, [token])]));
    }
  }

  /** Tells the senders of all messages that they were read or played; undefined: that another device has them. */
  acknowledge(type?: 'read' | 'played'): void {
    for (const { id, sender, to } of this.#arrivals) {
      const attrs = { id, from: to, t: seconds() };
      sender.connection?.send(node('receipt', type ? { ...attrs, type } : attrs));
    }
  }

  /** Takes another name, which its linked devices learn with the copy of a message that it writes to `to`. */
  async rename(name: string, to: Phone): Promise<void> {
    const id = `FAKE${this.number}${++this.#lastMessage}`;
    for (const { connection, jid, bundle } of this.devices) {
      const copy = { destinationJid: to.jid, message: { conversation: 'Hola' } };
      const enc = await this.keys.encrypt(jid, bundle, { deviceSentMessage: copy });
      const attrs = { id, from: this.jid, recipient: to.jid, type: 'text', t: seconds(), notify: name };
      connection?.send(node('message', attrs, [enc]));
    }
  }

  /** Offers its history to its linked devices, which try to download it from `mmg.whatsapp.net`. */
  async offerHistory(): Promise<void> {
    const historySyncNotification = {
      syncType: proto.HistorySync.HistorySyncType.RECENT,
      mediaKey: randomBytes(32),
      directPath: '/history',
    };
    const type = proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION;
    const id = `FAKE${this.number}${++this.#lastMessage}`;
    for (const { connection, jid, bundle } of this.devices) {
      const enc = await this.keys.encrypt(jid, bundle, {
        protocolMessage: { type, historySyncNotification },
      });
      const attrs = { id, from: this.jid, type: 'text', category: 'peer', t: seconds(), notify: this.number };
      connection?.send(node('message', attrs, [enc]));
    }
  }

  /**
   * Decrypts a message of a linked device of `sender`; false if it cannot.
   *
   * @param to its JID, as the sender wrote it
   */
  async receive(id: string, sender: LinkedDevice, to: string, enc: BinaryNode): Promise<boolean> {
    try {
      const ciphertext = bytesOf(enc);
      if (!ciphertext) throw new Error('A message without content');
      const message = await this.keys.decrypt(sender.jid, enc.attrs.type, ciphertext);
      this.#arrivals.push({ id, sender, to });
      this.#read(id, sender, message);
      return true;
    } catch (error) {
      this.failures.push(error);
      return false;
    }
  }

  #read(id: string, sender: LinkedDevice, message: proto.IMessage): void {
    const copy = message.deviceSentMessage;
    const text = textOf(copy?.message ?? message);
    // Without a text it is device synchronization; a repeated id was resent.
    if (text === undefined || [...this.sent, ...this.messages].some((known) => known.id === id)) return;
    if (copy) this.sent.push({ id, number: copy.destinationJid?.split('@')[0] ?? '', text });
    else this.messages.push({ id, number: sender.number, text });
  }
}

function textOf({ conversation, extendedTextMessage }: proto.IMessage): string | undefined {
  return conversation || extendedTextMessage?.text || undefined;
}
