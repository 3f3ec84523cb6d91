import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { type BinaryNode, Curve, proto } from '@whiskeysockets/baileys';
import { type WebSocket, WebSocketServer } from 'ws';
import { stablePort } from '../../../../test/support/stable-port.ts';
import { answer } from './answers.ts';
import { certificateChain } from './certificate.ts';
import { type Moment, ServerConnection } from './connection.ts';
import { Directory, type MessageFate } from './directory.ts';
import type { LinkedDevice } from './linked-device.ts';
import { Linking, type RefreshChild, readQr } from './linking.ts';
import { deliver } from './messages.ts';
import { at, node, result, seconds } from './nodes.ts';
import type { ServerIdentity } from './noise.ts';
import type { Phone } from './phone.ts';

export interface FakeWhatsappOptions {
  /** How many refs a client gets for its QR codes; WhatsApp gives six. */
  refs?: number;
  /**
   * How many one-time keys the server claims to have of a new device: with none it uploads 812, which takes a while.
   */
  preKeys?: number;
}

/** That of every fake: its signatures take a while. */
const IDENTITY = createIdentity();

export async function startFakeWhatsapp(options: FakeWhatsappOptions = {}): Promise<FakeWhatsapp> {
  const whatsapp = new FakeWhatsapp(await stablePort(), options);
  await whatsapp.comeBack();
  return whatsapp;
}

/**
 * A WhatsApp server on loopback, as far as Baileys needs it: `waWebSocketUrl: whatsapp.url`. Linked devices are kept
 * while it is down, so that a gateway can restart.
 */
export class FakeWhatsapp {
  /** Protocol errors, of the fake or of its client; a test may assert that there are none. */
  readonly errors: unknown[] = [];
  /** How many clients came to be linked, that is, to show a QR code. */
  registrations = 0;
  /** The versions that clients have presented, one for each connection. */
  readonly versions: string[] = [];
  /** The revision before which it refuses clients as outdated, in a version `2.3000.N`. */
  oldestRevision = 0;
  /** How many keep-alives its clients have sent. */
  keepAlives = 0;
  /** The acks of clients that are not linked yet. */
  readonly acks: BinaryNode['attrs'][] = [];
  /** Called at each moment of each client; if it returns true, the test takes over from there. */
  stepIn: ((moment: Moment, connection: ServerConnection) => boolean) | undefined;
  /** From where each connection has come, for whatever it asked. */
  readonly #addresses: string[] = [];
  readonly #refs: number;
  readonly #directory: Directory;
  readonly #linkings = new Set<Linking>();
  readonly #connections = new Set<ServerConnection>();
  readonly #refusals = new Map<string, Refusal>();
  #refusal: number | undefined;
  /** Refuses to give codes to type, with this error code or without an answer. */
  refusesCodes: number | 'silently' | undefined;
  readonly #port: number;
  #server: Server | undefined;

  constructor(port: number, { refs = 6, preKeys = 0 }: FakeWhatsappOptions) {
    this.#port = port;
    this.#refs = refs;
    const find = (fits: (linking: Linking) => boolean) => [...this.#linkings].find(fits);
    const linkings = {
      byRef: (ref: string) => find((linking) => linking.knows(ref)),
      byNumber: (number: string) => find(({ request }) => request?.number === number),
    };
    this.#directory = new Directory(linkings, preKeys);
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}/`;
  }

  /** How many connections are open. */
  get connections(): number {
    return this.#connections.size;
  }

  /** Marks this moment, for `addressesSince`. */
  get mark(): number {
    return this.#addresses.length;
  }

  /** The addresses that have connected after a mark, each once. */
  addressesSince(mark: number): string[] {
    return [...new Set(this.#addresses.slice(mark))];
  }

  phone(number: string): Phone {
    return this.#directory.phone(number);
  }

  /** How many messages the phones have received and could read. */
  get received(): number {
    return [...this.#directory.phones].reduce((sum, { messages }) => sum + messages.length, 0);
  }

  setNoWhatsapp(number: string): void {
    this.#directory.setNoWhatsapp(number);
  }

  /** Leaves queries about this number unanswered. */
  setNoAnswer(number: string): void {
    this.#directory.setNoAnswer(number);
  }

  /** How many queries about this number were left unanswered. */
  unansweredAbout(number: string): number {
    return this.#directory.unansweredAbout(number);
  }

  /** Gives a number another form (52 1, 54 9, Brazil's ninth digit) that WhatsApp recognizes too. */
  setAlias(typed: string, number: string): void {
    this.#directory.setAlias(typed, number);
  }

  /** Refuses messages to this number with an error code, or loses them silently; undefined: they arrive. */
  setMessageFate(number: string, fate: MessageFate | undefined): void {
    this.#directory.setFate(number, fate);
  }

  /**
   * Refuses logins of this number: 401 revoked, 403 restricted, 405 outdated, 503 unavailable, …; undefined: they
   * succeed.
   */
  refuseLogin(number: string, code: number | undefined, details: Omit<Refusal, 'code'> = {}): void {
    if (code === undefined) this.#refusals.delete(number);
    else this.#refusals.set(number, { code, ...details });
  }

  /** Refuses every client, even one that only wants a QR code: with 405, as outdated. */
  refuseEverybody(code: number | undefined): void {
    this.#refusal = code;
  }

  /** Offers new refs to all unscanned clients, which show the first at once; 0: their codes are used up. */
  renewCodes(count: number): void {
    for (const linking of this.#linkings) linking.offer(count);
  }

  /** Tells the client that shows this code to replace the secret in it, under which no scan links any more. */
  refresh(qrText: string, child?: RefreshChild): void {
    const { ref, advSecret } = readQr(qrText);
    for (const linking of this.#linkings) if (linking.knows(ref)) linking.refresh(advSecret, child);
  }

  /** Stops listening and cuts all connections. */
  async goDown(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    for (const connection of this.#connections) connection.cut();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  /** Listens again, on the same port. */
  async comeBack(): Promise<void> {
    const server = createServer((_request, answer) => answer.writeHead(426).end());
    server.on('connection', ({ remoteAddress = '' }) => this.#addresses.push(remoteAddress));
    new WebSocketServer({ server }).on('connection', (socket, { socket: tcp }) => this.#accept(socket, tcp));
    server.listen(this.#port, '127.0.0.1');
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
    const connection: ServerConnection = new ServerConnection(socket, tcp, IDENTITY, {
      onMoment: (moment) => this.stepIn?.(moment, connection) ?? false,
      onLogin: (payload, clientKey) => {
        const { primary, secondary, tertiary } = payload.userAgent?.appVersion ?? {};
        this.versions.push([primary, secondary, tertiary].join('.'));
        if (Number(tertiary) < this.oldestRevision) return fail(connection, { code: 405 });
        if (payload.devicePairingData)
          linking = this.#register(connection, payload.devicePairingData, clientKey);
        else device = this.#login(connection, payload, clientKey);
      },
      onNode: async (stanza) => {
        if (device) await this.#onNode(stanza, device, connection);
        else if (stanza.tag === 'ack') this.acks.push(stanza.attrs);
        else linking?.receive(stanza, this.refusesCodes);
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
    connection: ServerConnection,
    { eIdent, deviceProps }: proto.ClientPayload.IDevicePairingRegistrationData,
    clientKey: Buffer,
  ): Linking | undefined {
    if (this.#refusal !== undefined) return fail(connection, { code: this.#refusal });
    if (!eIdent) throw new Error('A client without an identity key');
    this.registrations++;
    const { platformType } = proto.DeviceProps.decode(deviceProps ?? Buffer.alloc(0));
    const linking = new Linking(connection, clientKey, Buffer.from(eIdent), platformType ?? undefined);
    this.#linkings.add(linking);
    linking.offer(this.#refs);
    return linking;
  }

  #login(
    connection: ServerConnection,
    payload: proto.ClientPayload,
    clientKey: Buffer,
  ): LinkedDevice | undefined {
    const number = String(payload.username);
    const refusal = this.#refusals.get(number);
    if (refusal) {
      if (refusal.isOnce) this.#refusals.delete(number);
      return fail(connection, refusal);
    }
    if (this.#refusal !== undefined) return fail(connection, { code: this.#refusal });
    const phone = this.phone(number);
    const device = phone.device(payload.device ?? 0);
    if (!device?.clientKey.equals(clientKey)) return fail(connection, { code: 401 });

    if (device.connection?.isOpen) phone.conflicts++;
    device.connection?.endWithError(undefined, node('conflict', { type: 'replaced' }));
    device.connection = connection;
    phone.logins++;
    // Where to connect next: the client stores this with its credentials, and sends it before its header.
    const routing = node('edge_routing', {}, [node('routing_info', {}, Buffer.from('fake'))]);
    connection.send(node('ib', {}, [routing]));
    connection.send(node('success', { t: seconds(), lid: device.lid, location: 'fake' }));
    return device;
  }

  async #onNode(stanza: BinaryNode, device: LinkedDevice, connection: ServerConnection): Promise<void> {
    if (stanza.tag === 'message') return deliver(stanza, device, this.#directory);
    if (stanza.tag !== 'iq') return;
    if (stanza.attrs.xmlns === 'w:p') this.keepAlives++;
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
    // The device has set itself up: offline messages would follow here.
    if (at(stanza, 'active')) connection.send(node('ib', {}, [node('offline', { count: '0' })]));
  }
}

/** Why WhatsApp does not let a device log in. */
interface Refusal {
  readonly code: number;
  /** How long a ban (402) lasts, in seconds. */
  readonly expire?: number;
  /** Whether the next login succeeds. */
  readonly isOnce?: boolean;
}

function fail(connection: ServerConnection, { code, expire }: Refusal): undefined {
  const ban: Record<string, string> = expire === undefined ? {} : { code: '101', expire: String(expire) };
  connection.end(node('failure', { reason: String(code), location: 'fake', ...ban }));
}

function createIdentity(): ServerIdentity {
  const key = Curve.generateKeyPair();
  return { key, certificate: certificateChain(key.public) };
}
