import { type BinaryNode, jidEncode, type proto } from '@whiskeysockets/baileys';
import { isSignedByDevice, signDevice } from './device-identity.ts';
import { LinkedDevice } from './linked-device.ts';
import { type Linking, readQr } from './linking.ts';
import { at, bytesOf, node, seconds } from './nodes.ts';
import { SignalKeys } from './signal-keys.ts';

/** A text as the phone's owner reads it. */
export interface TextMessage {
  id: string;
  /** The number of the other side. */
  number: string;
  text: string;
}

/** A phone with WhatsApp, known by its number: it links devices, and receives what is written to it. */
export class Phone {
  readonly number: string;
  readonly jid: string;
  readonly lidUser: string;
  keys = new SignalKeys();
  /** What others wrote to it, decrypted, in the order of arrival. */
  readonly messages: TextMessage[] = [];
  /** What its own linked devices wrote to others: each sends the phone a copy. */
  readonly sent: TextMessage[] = [];
  /** How many messages to it WhatsApp has refused or lost. */
  undelivered = 0;
  /** Why messages that arrived could not be read. */
  readonly failures: unknown[] = [];
  /** An account that wants a passkey before it links a device: the scan stops half-way. */
  asksForPasskey = false;
  /** The line breaks at the next word that a device is to be removed, and WhatsApp does not hear it. */
  losesRemoval = false;
  readonly #devices = new Map<number, LinkedDevice>();
  readonly #findLinking: (ref: string) => Linking | undefined;
  readonly #preKeys: number;
  #lastDevice = 0;
  #lastMessage = 0;

  constructor(
    number: string,
    lidUser: string,
    findLinking: (ref: string) => Linking | undefined,
    preKeys: number,
  ) {
    this.number = number;
    this.jid = jidEncode(number, 's.whatsapp.net');
    this.lidUser = lidUser;
    this.#findLinking = findLinking;
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

  /** How often its linked devices have logged in. */
  get logins(): number {
    return this.devices.reduce((sum, { logins }) => sum + logins, 0);
  }

  device(id: number): LinkedDevice | undefined {
    return this.#devices.get(id);
  }

  /** Reads a QR code and links the client that shows it; over when the client has signed and is told to restart. */
  async scan(qrText: string): Promise<void> {
    const code = readQr(qrText);
    const linking = this.#findLinking(code.ref);
    if (!linking?.clientKey.equals(code.clientKey) || !linking.identityKey.equals(code.identityKey)) {
      throw new Error('This QR code is not valid, or not any more');
    }
    const { identityKey } = linking;
    if (this.asksForPasskey) {
      linking.askForPasskey();
      return;
    }
    const device = new LinkedDevice(
      ++this.#lastDevice,
      this.number,
      this.lidUser,
      linking.clientKey,
      this.#preKeys,
    );
    const signed = signDevice(this.keys.identity, identityKey, device.id, code.advSecret);
    const answer = await linking.succeed(device, signed);
    const identity = bytesOf(at(answer, 'pair-device-sign', 'device-identity'));
    if (!identity || !isSignedByDevice(identity, this.keys.identity, identityKey)) {
      throw new Error('The device has not signed');
    }
    this.#devices.set(device.id, device);
    if (!linking.connection.reach('signed')) linking.connection.endWithError(515);
  }

  /** 'Log out' in the phone's list of linked devices; those that are not connected hear of it at their next login. */
  unlink(): void {
    for (const device of this.devices) this.forget(device);
  }

  /** Unlinks one device. */
  forget(device: LinkedDevice): void {
    this.#devices.delete(device.id);
    device.connection?.endWithError(401, node('conflict', { type: 'device_removed' }));
  }

  /** Another client logs in with the same credentials. */
  replaceElsewhere(): void {
    for (const { connection } of this.devices)
      connection?.endWithError(undefined, node('conflict', { type: 'replaced' }));
  }

  /** The line breaks: no goodbye. */
  cutLine(): void {
    for (const { connection } of this.devices) connection?.cut();
  }

  /** The line stays open and nothing comes out of it any more. */
  silenceLine(): void {
    for (const { connection } of this.devices) if (connection) connection.silent = true;
  }

  /** The server ends the stream: 500, 503, …; 428 is its end without any reason. */
  endStream(code: number): void {
    for (const { connection } of this.devices) {
      if (code === 428) connection?.end(node('xmlstreamend'));
      else connection?.endWithError(code);
    }
  }

  /** Its keys are new: what others encrypt for the old ones it cannot read, and asks for again. */
  reinstall(): void {
    this.keys.close();
    this.keys = new SignalKeys();
  }

  /** Writes to the linked devices of another phone that are connected. */
  async write(to: Phone, text: string): Promise<void> {
    const id = `FAKE${this.number}${++this.#lastMessage}`;
    for (const { connection, jid, bundle } of to.devices) {
      if (!connection) continue;
      const enc = await this.keys.encrypt(jid, bundle, { conversation: text });
      const attrs = { id, from: this.jid, type: 'text', t: seconds(), notify: this.number };
      connection.send(node('message', attrs, [enc]));
    }
  }

  /** Decrypts what a linked device of `sender` wrote; false if it cannot. */
  async receive(id: string, sender: LinkedDevice, enc: BinaryNode): Promise<boolean> {
    try {
      const ciphertext = bytesOf(enc);
      if (!ciphertext) throw new Error('A message without content');
      const message = await this.keys.decrypt(sender.jid, enc.attrs.type, ciphertext);
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
    // What has no text is the business of devices among each other; what comes again was sent again.
    if (text === undefined || [...this.sent, ...this.messages].some((known) => known.id === id)) return;
    if (copy) this.sent.push({ id, number: copy.destinationJid?.split('@')[0] ?? '', text });
    else this.messages.push({ id, number: sender.number, text });
  }
}

function textOf({ conversation, extendedTextMessage }: proto.IMessage): string | undefined {
  return conversation || extendedTextMessage?.text || undefined;
}
