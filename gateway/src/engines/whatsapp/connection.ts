import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { BinaryNode, ConnectionState, proto, WASocket } from '@whiskeysockets/baileys';
import { readField } from '../../../../src/server/fields.ts';
import { settles } from '../../drain.ts';
import { StoreError } from '../../ledger/store-error.ts';
import { failureOf } from '../../proxy/failure.ts';
import { type Route, routeThrough } from '../../proxy/route.ts';
import type { Ack, Sign } from '../../sessions/engine.ts';
import { AdvSecret } from './adv-secret.ts';
import type { createCaches } from './caches.ts';
import { type Close, closeOf } from './close.ts';
import type { DeviceCredentials } from './credentials.ts';
import type { ConnectionFailure } from './failures.ts';
import { readInOrder } from './frames.ts';
import { ackOf, SILENT } from './library.ts';
import { Passkey, type PasskeyEvent } from './passkey.ts';
import { probe } from './probe.ts';
import type { ConnectionSettings } from './session-context.ts';
import { withSharedStorage } from './shared-storage.ts';
import { NOT_ALLOWED, type Signs } from './signs.ts';
import { inLibrary, outsideLibrary } from './uncaught-errors.ts';
import { aborted } from './waits.ts';

/** Callbacks of a connection. */
interface ConnectionHandlers {
  /** A code to scan replaces the previous one: a new one, or the same one with another secret. */
  code?(text: string, isNew: boolean): void;
  /** The code was scanned; `paired` or `unsaved` follows. */
  scanned?(): void;
  /** The credentials that the phone with this number gave are saved. */
  paired?(phone: string): void;
  /** The account requires a passkey: what becomes of it, until `scanned`. */
  passkey?(event: PasskeyEvent): void;
  /** The credentials that WhatsApp sent could not be saved. */
  unsaved?(): void;
  /** Something failed without WhatsApp closing the connection; `closed` follows, unless a frame was skipped. */
  failed?(failure: ConnectionFailure): void;
  open(): void;
  /** The account's own name, after `open` and when it changes. */
  name?(name: string): void;
  /** WhatsApp's report about a message, whoever sent it. */
  ack?(id: string, ack: Ack): void;
  /** What the `signs` of the connection report. */
  sign?(sign: Sign): void;
  /** Called last, at most once, and never after `end`. */
  closed(close: Close): void;
}

/** WhatsApp's answer to a message: its error code, or none if it has accepted it. */
interface Answer {
  readonly error: string | undefined;
}

/** Logged for a bug of ours; the error's frames show where. */
const UNEXPECTED = 'An unexpected error occurred on a connection to WhatsApp.';

/** How long the server may take to close its side before the connection is cut, in milliseconds. */
const CLOSING = 2_000;

/** One connection to WhatsApp; a session has one after the other. */
export class Connection {
  readonly #socket: WASocket;
  readonly #settings: ConnectionSettings;
  readonly #handlers: ConnectionHandlers;
  readonly #credentials: DeviceCredentials;
  readonly #signs: Signs | undefined;
  readonly #secret: AdvSecret;
  readonly #route: Route | undefined;
  readonly passkey: Passkey;
  /** The TCP or TLS socket below the WebSocket. */
  #transport: Socket | undefined;
  /** Resolves when the last change of the credentials is saved, or could not be. */
  #saved = Promise.resolve();
  #reached = false;
  #closed: Promise<void> | undefined;
  #isLoggedIn = false;
  /** Pending while WhatsApp is asked whether it restricts the account. */
  #askingLimit: Promise<void> | undefined;
  readonly #offered = new AbortController();
  readonly #ended = new AbortController();
  /** Resolves when the connection has ended, on either side. */
  readonly gone = aborted(this.#ended.signal);

  constructor(
    settings: ConnectionSettings,
    credentials: DeviceCredentials,
    handlers: ConnectionHandlers,
    caches?: ReturnType<typeof createCaches>,
    signs?: Signs,
  ) {
    const { library, url, version, timings, proxy } = settings;
    const route = proxy && routeThrough(proxy);
    this.#settings = settings;
    this.#handlers = handlers;
    this.#credentials = credentials;
    this.#signs = signs;
    this.#route = route;
    this.#secret = new AdvSecret(credentials.auth.creds);
    credentials.forgetUnlinked();
    const config = {
      auth: credentials.auth,
      version: version.current,
      logger: SILENT,
      ...(url !== undefined && { waWebSocketUrl: url }),
      // The WebSocket, uploads, and downloads.
      ...(route && { agent: route.agent, fetchAgent: route.agent, options: route.options }),
      defaultQueryTimeoutMs: timings.query,
      keepAliveIntervalMs: timings.keepAlive,
      qrTimeout: timings.code,
      // Otherwise the phone would get no notifications, and the account would always look online.
      markOnlineOnConnect: false,
      syncFullHistory: false,
      emitOwnEvents: false,
      // No second attempt at writing keys: it would hold up all other messages.
      transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
      ...caches,
    };
    this.#socket = this.#use(() => withSharedStorage(() => library.makeWASocket(config)));
    readInOrder(this.#socket.ws, (isSkipped) =>
      this.#fail({ kind: isSkipped ? 'skipped-frame' : 'unreadable' }),
    );
    this.#socket.ws.on('upgrade', ({ socket }: IncomingMessage) => {
      this.#transport = socket;
    });
    this.#socket.ws.on('open', () => {
      this.#reached = true;
    });
    // Of WhatsApp or of a proxy; the library would wait for more.
    this.#socket.ws.on('unexpected-response', () => this.#breakOff(new Error('No WebSocket')));
    this.passkey = new Passkey({
      settings,
      socket: this.#socket,
      secret: this.#secret,
      use: (task) => this.#use(task),
      tell: (event) => this.#tell(() => handlers.passkey?.(event)),
    });
    // Even after the end: the last update must be saved as well.
    this.#socket.ev.on('creds.update', () => {
      this.#saved = this.#save();
      this.#tellName();
    });
    this.#socket.ev.on('messages.update', (updates) => {
      for (const { key, update } of updates) this.#tellAck(key.id, update.status);
    });
    this.#socket.ev.on('connection.update', (update) => this.#update(update));
    this.#socket.ws.on(`CB:ack,error:${NOT_ALLOWED}`, () => void this.askLimit());
    signs?.listen(this.#socket, (sign) => this.#sign(sign));
    this.#secret.listen(this.#socket, library, (code) => this.#tell(() => handlers.code?.(code, false)));
  }

  /** The close of a connection that WhatsApp does not answer. */
  get silence(): Close {
    return this.#explained({ code: 0, reached: this.#reached });
  }

  get isOpen(): boolean {
    return !this.#ended.signal.aborted && this.#socket.ws.isOpen;
  }

  /**
   * Ends the connection without calling `closed`. The account stays linked. Resolves when the server accepts nothing
   * more from it.
   */
  end(): Promise<void> {
    this.#ended.abort();
    this.#closed ??= this.#cut();
    return this.#closed;
  }

  async #cut(): Promise<void> {
    // Data that waits for the saving of credentials must not be sent if that fails.
    if (this.#transport?.writableCorked) this.#transport.destroy();
    const closed = this.#use(() => this.#socket.end(undefined)).catch(() => {});
    await settles(closed, CLOSING);
    this.#transport?.destroy();
    this.#route?.close();
  }

  /** Returns the JID of the account with this number; null if there is none, undefined without an answer. */
  async accountOf(digits: string): Promise<string | null | undefined> {
    const found = await this.#use(() => this.#socket.onWhatsApp(digits));
    return found && (found.find(({ exists }) => exists)?.jid ?? null);
  }

  /**
   * Requests a code that links the phone with this number, as soon as a code to scan has been shown: earlier WhatsApp
   * takes no request. Returns undefined if WhatsApp returns none, or a phone has been linked meanwhile.
   */
  async requestCode(digits: string): Promise<string | undefined> {
    await aborted(this.#offered.signal);
    // The request would overwrite the number that was linked.
    if (this.#credentials.phone !== undefined) return undefined;
    const { ws } = this.#socket;
    // The library does not wait for the answer. WhatsApp refuses no other request on this connection.
    const answer = new Promise<boolean>((resolve) => {
      ws.once('CB:iq,type:result,link_code_companion_reg', () => resolve(true));
      ws.once('CB:iq,type:error', () => resolve(false));
    });
    const code = await this.#use(() => this.#socket.requestPairingCode(digits));
    return (await answer) ? code : undefined;
  }

  /**
   * Sends a text. Resolves when it has been sent, with a promise of WhatsApp's answer. Rejects with a `StoreError`,
   * without sending it, if the keys that it changes could not be written.
   *
   * @param onId called with the message's id right before it is sent
   */
  async sendText(
    account: string,
    text: string,
    onId: (id: string) => void,
  ): Promise<{ answer: Promise<Answer> }> {
    await this.#credentials.checkWritable();
    const id = this.#settings.library.generateMessageIDV2(this.#socket.user?.id);
    onId(id);
    const answer = new Promise<Answer>((resolve) => {
      this.#socket.ws.once(`TAG:${id}`, ({ attrs }: BinaryNode) => resolve({ error: attrs.error }));
    });
    // Without this the library would fetch links in the text for a preview.
    const content = { text, linkPreview: null };
    const sent = this.#use(() => this.#socket.sendMessage(account, content, { messageId: id }));
    await sent.catch((error: unknown) => {
      // The library writes the changed keys after sending, so the message has been sent.
      if (!(error instanceof StoreError && error.isWrite)) throw error;
    });
    return { answer };
  }

  /**
   * Whether the account with this JID is this one, or has written to it: only then WhatsApp has given a token for it.
   * Rejects with a `StoreError`.
   */
  async knows(account: string): Promise<boolean> {
    const { authState, signalRepository } = this.#socket;
    if (this.#settings.library.jidDecode(account)?.user === this.#credentials.phone) return true;
    // As the library names it.
    const lid = await this.#use(() => signalRepository.lidMapping.getLIDForPN(account));
    const name = lid ?? account;
    const tokens = await this.#use(async () => authState.keys.get('tctoken', [name]));
    // It is empty where the library has only given one.
    return (tokens[name]?.token.length ?? 0) > 0;
  }

  /** Asks WhatsApp whether it restricts the account; what it answers is reported. Never rejects. */
  askLimit(): Promise<void> {
    const settled = () => {
      this.#askingLimit = undefined;
    };
    this.#askingLimit ??= this.#use(() => this.#socket.fetchAccountReachoutTimelock()).then(settled, settled);
    return this.#askingLimit;
  }

  /** Whether WhatsApp answers within `timings.query`. Never rejects. */
  async probe(): Promise<boolean> {
    if (!this.isOpen) return false;
    const { library, timings } = this.#settings;
    this.#signs?.expectSignal();
    return this.#use(() => probe(this.#socket, library.S_WHATSAPP_NET, timings.query, this.#ended.signal));
  }

  /**
   * Removes this device from its account. Resolves when WhatsApp has answered, which the library's own `logout` does
   * not wait for; rejects without an answer.
   */
  async removeDevice(): Promise<void> {
    const { user } = this.#socket;
    if (!user) return;
    const iq: BinaryNode = {
      tag: 'iq',
      attrs: { to: this.#settings.library.S_WHATSAPP_NET, type: 'set', xmlns: 'md' },
      content: [{ tag: 'remove-companion-device', attrs: { jid: user.id, reason: 'user_initiated' } }],
    };
    await this.#use(() => this.#socket.query(iq, this.#settings.timings.unlink));
  }

  /**
   * Saves the credentials. The library sends dependent data in the same turn, such as the answer to a scan. That data
   * waits until the credentials are saved: otherwise a phone could be linked to a device that is unknown after a
   * restart. Never rejects.
   */
  async #save(): Promise<void> {
    const transport = this.#transport;
    transport?.cork();
    try {
      await this.#credentials.save();
    } catch (error) {
      if (!(error instanceof StoreError)) this.#settings.log.error({ err: error }, UNEXPECTED);
      this.#tell(() => this.#handlers.unsaved?.());
    } finally {
      transport?.uncork();
    }
  }

  #update(update: Partial<ConnectionState>): void {
    const { qr, isNewLogin, connection, lastDisconnect } = update;
    if (qr && this.passkey.takeCode(qr)) {
      const code = this.#secret.draw(qr);
      this.#tell(() => this.#handlers.code?.(code, true));
      this.#offered.abort();
    }
    if (isNewLogin || connection === 'open') {
      const { phone } = this.#credentials;
      // A login without a number is not valid.
      if (phone === undefined) this.#fail({ kind: 'unreadable' });
      else if (isNewLogin) this.#scanned(phone);
      else this.#opened();
    }
    if (connection !== 'close') return;
    const { error } = lastDisconnect ?? {};
    this.#tell(() => this.#close(this.#explained(closeOf(error, this.#reached), readField(error, 'data'))));
  }

  #opened(): void {
    this.#isLoggedIn = true;
    this.#tell(() => this.#handlers.open());
    this.#tellName();
    if (!this.#signs) return;
    void this.askLimit();
    void this.#tellExit();
  }

  async #tellExit(): Promise<void> {
    const { proxies, proxy } = this.#settings;
    if (proxy) this.#sign({ type: 'exit', exit: await proxies.exitOf(proxy) });
  }

  #tellName(): void {
    const { name } = this.#credentials;
    if (this.#isLoggedIn && name !== undefined) this.#tell(() => this.#handlers.name?.(name));
  }

  #sign(sign: Sign): void {
    this.#tell(() => this.#handlers.sign?.(sign));
    if (sign.type === 'signal' && this.#signs?.isLimitOver) void this.askLimit();
  }

  #tellAck(id: string | null | undefined, status: proto.WebMessageInfo.Status | null | undefined): void {
    const ack = ackOf(status, this.#settings.library);
    if (id && ack) this.#tell(() => this.#handlers.ack?.(id, ack));
  }

  #scanned(phone: string): void {
    this.#tell(() => this.#handlers.scanned?.());
    void this.#saved.then(() => this.#tell(() => this.#handlers.paired?.(phone)));
  }

  #fail(failure: ConnectionFailure): void {
    this.#tell(() => this.#handlers.failed?.(failure));
    if (failure.kind !== 'skipped-frame') this.#breakOff();
  }

  #breakOff(error?: unknown): void {
    this.#tell(() => {
      void this.end();
      this.#close(this.#explained({ code: 0, reached: this.#reached }, error));
    });
  }

  /** Adds why its proxy has not brought it to WhatsApp. @param error that of the WebSocket */
  #explained(close: Close, error?: unknown): Close {
    if (!this.#route || this.#reached) return close;
    const { proxy, refusal } = this.#route;
    const failure = refusal ?? (error === undefined ? 'silent' : failureOf(error));
    return { ...close, proxy: { proxy: proxy.name, failure } };
  }

  #close(close: Close): void {
    this.passkey.closed(close.code);
    this.#ended.abort();
    this.#route?.close();
    this.#handlers.closed(close);
  }

  /** Runs library code; an exception that nobody catches ends this connection. */
  #use<T>(task: () => T): T {
    return inLibrary((error) => this.#fail({ kind: 'library-error', error }), task);
  }

  /** Calls a handler; an exception there is a bug of ours, and must not reach the library. */
  #tell(call: () => void): void {
    if (this.#ended.signal.aborted) return;
    try {
      outsideLibrary(call);
    } catch (error) {
      this.#settings.log.error({ err: error }, UNEXPECTED);
    }
  }
}
