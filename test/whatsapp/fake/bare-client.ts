import {
  type AuthenticationState,
  type BinaryNode,
  type ConnectionState,
  initAuthCreds,
  makeWASocket,
  type UserFacingSocketConfig,
  type WASocket,
} from '@whiskeysockets/baileys';
import { until } from '../../support/until.ts';
import './silenced-libsignal.ts';
import { memoryKeys } from './memory-keys.ts';
import { silentLogger } from './silent-logger.ts';
import type { FakeWhatsapp } from './whatsapp.ts';

/** Longer than anything takes on a machine that is busy with other tests. */
const PATIENCE_MS = 60_000;

/** Baileys as it is, one socket after the other with the same credentials, and everything that it said. */
export class BareClient {
  readonly auth: AuthenticationState = { creds: initAuthCreds(), keys: memoryKeys() };
  readonly #whatsapp: FakeWhatsapp;
  readonly #settings: Partial<UserFacingSocketConfig>;
  #socket: WASocket | undefined;
  /** What the present socket said. */
  updates: Partial<ConnectionState>[] = [];
  /** What became of its messages: acknowledged by the server, received by the recipient. */
  acks: BinaryNode['attrs'][] = [];
  receipts: BinaryNode['attrs'][] = [];

  constructor(whatsapp: FakeWhatsapp, settings: Partial<UserFacingSocketConfig> = {}) {
    this.#whatsapp = whatsapp;
    this.#settings = settings;
  }

  get socket(): WASocket {
    if (!this.#socket) throw new Error('Not connected yet');
    return this.#socket;
  }

  connect(): this {
    this.updates = [];
    this.acks = [];
    this.receipts = [];
    const { updates, acks, receipts } = this;
    const socket = makeWASocket({
      auth: this.auth,
      logger: silentLogger,
      waWebSocketUrl: this.#whatsapp.url,
      // Without this Baileys holds back events for 20 s, waiting for old messages.
      shouldSyncHistoryMessage: () => false,
      ...this.#settings,
    });
    socket.ev.on('connection.update', (update) => updates.push(update));
    // Baileys merges `messages.update` into the event of the message itself, and drops the server's yes.
    socket.ws.on('CB:ack,class:message', ({ attrs }: BinaryNode) => acks.push(attrs));
    socket.ws.on('CB:receipt', ({ attrs }: BinaryNode) => receipts.push(attrs));
    socket.ev.on('creds.update', (update) => Object.assign(this.auth.creds, update));
    this.#socket = socket;
    return this;
  }

  /** The QR text that is shown now, if not this one. */
  qr(other?: string): Promise<string> {
    return until(
      () => {
        const shown = this.updates.findLast(({ qr }) => qr)?.qr;
        return shown === other ? undefined : shown;
      },
      'a QR code',
      PATIENCE_MS,
    );
  }

  get isOpen(): boolean {
    return this.updates.some(({ connection }) => connection === 'open');
  }

  async opened(): Promise<this> {
    await until(() => this.isOpen, 'an open connection', PATIENCE_MS);
    return this;
  }

  /** Why the present socket closed. */
  closed(): Promise<number> {
    return until(
      () => {
        const error = this.updates.find(({ connection }) => connection === 'close')?.lastDisconnect?.error;
        return error && 'output' in error ? error.output.statusCode : undefined;
      },
      'a closed connection',
      PATIENCE_MS,
    );
  }

  /** From nothing to an open connection, by way of a scan and a restart. */
  async link(number: string): Promise<this> {
    this.connect();
    await this.#whatsapp.phone(number).scan(await this.qr());
    await this.closed();
    return this.connect().opened();
  }

  async send(number: string, text: string): Promise<string> {
    const sent = await this.socket.sendMessage(`${number}@s.whatsapp.net`, { text });
    return sent?.key.id ?? '';
  }

  async end(): Promise<void> {
    await this.#socket?.end(undefined);
  }
}
