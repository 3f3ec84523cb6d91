import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type BinaryNode, Curve, type proto } from '@whiskeysockets/baileys';
import { type WebSocket, WebSocketServer } from 'ws';
import { stablePort } from '../../support/stable-port.ts';
import { answer } from './answers.ts';
import { certificateChain } from './certificate.ts';
import { Connection, type Moment } from './connection.ts';
import { Directory, type MessageFate } from './directory.ts';
import type { LinkedDevice } from './linked-device.ts';
import { Linking } from './linking.ts';
import { deliver } from './messages.ts';
import { at, node, result, seconds } from './nodes.ts';
import type { ServerIdentity } from './noise.ts';
import type { Phone } from './phone.ts';

export interface FakeWhatsappOptions {
  /** How many refs a client gets for its QR codes; WhatsApp gives six. */
  refs?: number;
  /** How many one-time keys the server believes to have of a new device: with none it uploads 812, which takes a while. */
  preKeys?: number;
}

export async function startFakeWhatsapp(options: FakeWhatsappOptions = {}): Promise<FakeWhatsapp> {
  const whatsapp = new FakeWhatsapp(await stablePort(), options);
  await whatsapp.comeBack();
  return whatsapp;
}

/**
 * WhatsApp on loopback, as far as Baileys has to do with it: `waWebSocketUrl: whatsapp.url`. What phones have linked
 * is kept while it lives, also while it is down, so that a gateway may come and go.
 */
export class FakeWhatsapp {
  /** How the fake or its client broke the protocol; a test may want it empty. */
  readonly errors: unknown[] = [];
  /** How many clients came to be linked, that is, to show a QR code. */
  registrations = 0;
  /** Called at each moment of each client; where it gives true, it goes on in the server's place. */
  stepIn: ((moment: Moment, connection: Connection) => boolean) | undefined;
  readonly #identity: ServerIdentity;
  readonly #refs: number;
  readonly #directory: Directory;
  readonly #linkings = new Set<Linking>();
  readonly #connections = new Set<Connection>();
  readonly #refusals = new Map<string, number>();
  #refusal: number | undefined;
  readonly #port: number;
  #server: WebSocketServer | undefined;

  constructor(port: number, { refs = 6, preKeys = 0 }: FakeWhatsappOptions) {
    const key = Curve.generateKeyPair();
    this.#identity = { key, certificate: certificateChain(key.public) };
    this.#port = port;
    this.#refs = refs;
    const findLinking = (ref: string) => [...this.#linkings].find((linking) => linking.knows(ref));
    this.#directory = new Directory(findLinking, preKeys);
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}/`;
  }

  /** How many lines are open. */
  get connections(): number {
    return this.#connections.size;
  }

  phone(number: string): Phone {
    return this.#directory.phone(number);
  }

  setNoWhatsapp(number: string): void {
    this.#directory.setNoWhatsapp(number);
  }

  /** Whoever asks whether this number has WhatsApp waits in vain. */
  setNoAnswer(number: string): void {
    this.#directory.setNoAnswer(number);
  }

  /** A number is written with digits that it does not have (52 1, 54 9, Brazil's ninth): WhatsApp knows whom it means. */
  setAlias(typed: string, number: string): void {
    this.#directory.setAlias(typed, number);
  }

  /** Messages to this number are refused with an error code, or lost without a word; undefined: they arrive. */
  setMessageFate(number: string, fate: MessageFate | undefined): void {
    this.#directory.setFate(number, fate);
  }

  /** Logins of this number fail: 401 revoked, 403 restricted, 405 outdated, …; undefined: they succeed. */
  refuseLogin(number: string, code: number | undefined): void {
    if (code === undefined) this.#refusals.delete(number);
    else this.#refusals.set(number, code);
  }

  /** Every client fails, also one that only wants a QR code: 405 is WhatsApp's word to an outdated one. */
  refuseEverybody(code: number | undefined): void {
    this.#refusal = code;
  }

  /** New refs for all clients that nobody has scanned; they show the first at once. 0: their codes are used up. */
  renewCodes(count: number): void {
    for (const linking of this.#linkings) linking.offer(count);
  }

  /** Nothing listens any more, and every line breaks. */
  async goDown(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    for (const connection of this.#connections) connection.cut();
    const closed = once(server, 'close');
    server.close();
    await closed;
  }

  /** Listens again, on the same port. */
  async comeBack(): Promise<void> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: this.#port });
    server.on('connection', (socket, { socket: tcp }) => this.#accept(socket, tcp));
    await once(server, 'listening');
    this.#server = server;
  }

  async close(): Promise<void> {
    await this.goDown();
    for (const { keys } of this.#directory.phones) keys.close();
  }

  #accept(socket: WebSocket, tcp: Socket): void {
    let device: LinkedDevice | undefined;
    let linking: Linking | undefined;
    const connection: Connection = new Connection(socket, tcp, this.#identity, {
      onMoment: (moment) => this.stepIn?.(moment, connection) ?? false,
      onLogin: (payload, clientKey) => {
        if (payload.devicePairingData)
          linking = this.#register(connection, payload.devicePairingData, clientKey);
        else device = this.#login(connection, payload, clientKey);
      },
      onNode: async (stanza) => {
        if (device) await this.#onNode(stanza, device, connection);
      },
      onClose: () => {
        this.#connections.delete(connection);
        if (linking) this.#linkings.delete(linking);
        if (device?.connection === connection) device.connection = undefined;
      },
      onError: (error) => this.errors.push(error),
    });
    this.#connections.add(connection);
    connection.reach('opened');
  }

  #register(
    connection: Connection,
    { eIdent }: proto.ClientPayload.IDevicePairingRegistrationData,
    clientKey: Buffer,
  ): Linking | undefined {
    if (this.#refusal !== undefined) return fail(connection, this.#refusal);
    if (!eIdent) throw new Error('A client without an identity key');
    this.registrations++;
    const linking = new Linking(connection, clientKey, Buffer.from(eIdent));
    this.#linkings.add(linking);
    linking.offer(this.#refs);
    return linking;
  }

  #login(connection: Connection, payload: proto.ClientPayload, clientKey: Buffer): LinkedDevice | undefined {
    const number = String(payload.username);
    const refusal = this.#refusals.get(number) ?? this.#refusal;
    if (refusal !== undefined) return fail(connection, refusal);
    const device = this.phone(number).device(payload.device ?? 0);
    if (!device?.clientKey.equals(clientKey)) return fail(connection, 401);

    device.connection?.endWithError(undefined, node('conflict', { type: 'replaced' }));
    device.connection = connection;
    device.logins++;
    // Where to knock the next time: the client keeps this among its credentials, and says it before its header.
    const routing = node('edge_routing', {}, [node('routing_info', {}, Buffer.from('fake'))]);
    connection.send(node('ib', {}, [routing]));
    connection.send(node('success', { t: seconds(), lid: device.lid, location: 'fake' }));
    return device;
  }

  async #onNode(stanza: BinaryNode, device: LinkedDevice, connection: Connection): Promise<void> {
    if (stanza.tag === 'message') return deliver(stanza, device, this.#directory);
    if (stanza.tag !== 'iq') return;
    if (at(stanza, 'remove-companion-device')) {
      const phone = this.phone(device.number);
      if (phone.losesRemoval) {
        phone.losesRemoval = false;
        connection.cut();
        return;
      }
      connection.send(result(stanza));
      phone.forget(device);
      return;
    }
    const answered = await answer(stanza, device, this.#directory);
    if (answered) connection.send(answered);
    // The device has set itself up: what came in its absence would follow here.
    if (at(stanza, 'active')) connection.send(node('ib', {}, [node('offline', { count: '0' })]));
  }
}

function fail(connection: Connection, code: number): undefined {
  connection.end(node('failure', { reason: String(code), location: 'fake' }));
}
