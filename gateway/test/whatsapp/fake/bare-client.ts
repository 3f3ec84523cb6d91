import {
  type AuthenticationState,
  type BinaryNode,
  type ConnectionState,
  initAuthCreds,
  makeWASocket,
  type UserFacingSocketConfig,
  type WASocket,
} from '@whiskeysockets/baileys';
import { until } from '../../../../test/support/until.ts';
import './silenced-libsignal.ts';
import { memoryKeys } from './memory-keys.ts';
import { silentLogger } from './silent-logger.ts';
import type { FakeWhatsapp } from './whatsapp.ts';

/** Longer than anything takes on a busy machine. */
const PATIENCE_MS = 60_000;

/** Plain Baileys: one socket after the other with the same credentials, and all events they emitted. */
export class BareClient {
  readonly auth: AuthenticationState = { creds: initAuthCreds(), keys: memoryKeys() };
  readonly #whatsapp: FakeWhatsapp;
  readonly #settings: Partial<UserFacingSocketConfig>;
  #socket: WASocket | undefined;
  /** Events of the current socket. */
  updates: Partial<ConnectionState>[] = [];
  /** Status of its messages: acknowledged by the server, received by the recipient. */
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
      // Otherwise Baileys holds back events for 20 s, waiting for old messages.
      shouldSyncHistoryMessage: () => false,
      ...this.#settings,
    });
    socket.ev.on('connection.update', (update) => updates.push(update));
    // Baileys merges `messages.update` into the message's own event, and drops the server's acknowledgement.
    socket.ws.on('CB:ack,class:message', ({ attrs }: BinaryNode) => acks.push(attrs));
    socket.ws.on('CB:receipt', ({ attrs }: BinaryNode) => receipts.push(attrs));
    socket.ev.on('creds.update', (update) => Object.assign(this.auth.creds, update));
    this.#socket = socket;
    return this;
  }

  /** Resolves with the QR text shown, once it differs from `before`. */
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

  /** Resolves with the reason why the current socket closed. */
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

  /** Links from scratch: a scan, a restart, an open connection. */
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
