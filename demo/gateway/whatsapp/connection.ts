import type { BinaryNode, ConnectionState, UserFacingSocketConfig, WASocket } from '@whiskeysockets/baileys';
import { StoreError } from '../errors.ts';
import { logFailure } from '../log.ts';
import type { Caches } from './caches.ts';
import type { Credentials } from './credentials.ts';
import type { Close } from './disconnect-reason.ts';
import { WriteError } from './disk.ts';
import type { Fault } from './faults.ts';
import { readInTurn } from './frames.ts';
import { type Library, SILENT } from './library.ts';
import type { Timings } from './timings.ts';
import { inLibrary, outsideLibrary } from './uncaught-errors.ts';

/** What every connection of an engine has in common. */
export interface Line {
  readonly library: Library;
  /** WhatsApp's server, as `wss://…`; undefined takes the library's. */
  readonly url: string | undefined;
  readonly timings: Timings;
}

/** What can happen to a connection. */
export interface ConnectionListener {
  /** There is a code to scan; it replaces the one before. */
  code?(text: string): void;
  /** The code was scanned, with the phone of that number. */
  paired?(phone: string): void;
  /** The account wants a passkey, which cannot be given. */
  passkey?(): void;
  /** What WhatsApp said could not be kept. */
  unsaved?(): void;
  /** Something went wrong that WhatsApp did not tell; `closed` comes next, unless it was only left out. */
  faulty?(fault: Fault): void;
  open(): void;
  /** The last word, at most once, and never after `end`. */
  closed(close: Close): void;
}

/** The notification that comes after the scan, in place of the pairing, when the account wants a passkey. */
const PASSKEY = 'CB:notification,type:passkey_prologue_request';

/** One line to WhatsApp, from its beginning to its end; a session has one after the other. */
export class Connection {
  readonly #socket: WASocket;
  readonly #library: Library;
  readonly #timings: Timings;
  readonly #listener: ConnectionListener;
  readonly #credentials: Credentials;
  #reached = false;
  #ended = false;
  #settleEnded = () => {};
  /** Resolves when the line has gone, whoever ended it. */
  readonly gone = new Promise<void>((resolve) => {
    this.#settleEnded = resolve;
  });

  constructor(line: Line, credentials: Credentials, listener: ConnectionListener, caches?: Caches) {
    const { library, url, timings } = line;
    this.#library = library;
    this.#timings = timings;
    this.#listener = listener;
    this.#credentials = credentials;
    const settings: UserFacingSocketConfig = {
      auth: credentials.auth,
      logger: SILENT,
      ...(url !== undefined && { waWebSocketUrl: url }),
      defaultQueryTimeoutMs: timings.query,
      keepAliveIntervalMs: timings.keepAlive,
      qrTimeout: timings.code,
      // The phone goes on ringing, and nobody sees the account online because the gateway runs.
      markOnlineOnConnect: false,
      // Old messages are none of the gateway's business.
      syncFullHistory: false,
      emitOwnEvents: false,
      // The disk is asked once for each set of keys: while it is asked again nothing else can be sent.
      transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
      ...(caches && {
        userDevicesCache: caches.devices,
        msgRetryCounterCache: caches.retries,
        callOfferCache: caches.calls,
        placeholderResendCache: caches.placeholders,
      }),
    };
    this.#socket = this.#use(() => library.makeWASocket(settings));
    readInTurn(this.#socket.ws, (leftOut) => this.#fault({ kind: leftOut ? 'left-out' : 'broken' }));
    this.#socket.ws.on('open', () => {
      this.#reached = true;
    });
    this.#socket.ws.on(PASSKEY, () => this.#tell(() => listener.passkey?.()));
    // Even after the end: what was learnt last must be kept as well.
    this.#socket.ev.on('creds.update', () => this.#save());
    this.#socket.ev.on('connection.update', (update) => this.#update(update));
  }

  /** Whether WhatsApp's server was reached at all. */
  get reached(): boolean {
    return this.#reached;
  }

  get isOpen(): boolean {
    return !this.#ended && this.#socket.ws.isOpen;
  }

  /** Ends the line and says nothing more. The account stays linked. */
  end(): void {
    this.#finish();
    this.#use(() => this.#socket.end(undefined)).catch(() => {});
  }

  /** The account that has this number, as WhatsApp addresses it; null when none has, undefined without answer. */
  async accountOf(digits: string): Promise<string | null | undefined> {
    const found = await this.#use(() => this.#socket.onWhatsApp(digits));
    return found && (found.find(({ exists }) => exists)?.jid ?? null);
  }

  /**
   * Sends a text. Resolves when it has left, with the promise of what WhatsApp says to it. Rejects with a
   * `StoreError` when the disk would not take the keys that it changes; then it has not left.
   */
  async sendText(account: string, text: string): Promise<{ answer: Promise<'taken' | 'refused'> }> {
    this.#credentials.prove();
    const id = this.#library.generateMessageIDV2(this.#socket.user?.id);
    const answer = new Promise<'taken' | 'refused'>((resolve) => {
      this.#socket.ws.once(`TAG:${id}`, ({ attrs }: BinaryNode) =>
        resolve(attrs.error === undefined ? 'taken' : 'refused'),
      );
    });
    // Links in the text are nobody's business either: without this they would be fetched for a preview.
    const content = { text, linkPreview: null };
    const sent = this.#use(() => this.#socket.sendMessage(account, content, { messageId: id }));
    await sent.catch((error: unknown) => {
      // The library writes the keys that the message has used when it has left.
      if (!(error instanceof WriteError)) throw error;
    });
    return { answer };
  }

  /**
   * Has WhatsApp remove this device from its account, and waits for the answer; the library's own `logout`
   * does not. Rejects when there is none.
   */
  async removeDevice(): Promise<void> {
    const { user } = this.#socket;
    if (!user) return;
    const iq: BinaryNode = {
      tag: 'iq',
      attrs: { to: this.#library.S_WHATSAPP_NET, type: 'set', xmlns: 'md' },
      content: [{ tag: 'remove-companion-device', attrs: { jid: user.id, reason: 'user_initiated' } }],
    };
    await this.#use(() => this.#socket.query(iq, this.#timings.unlink));
  }

  /** Thrown on, a failure would end the process, or what the library was about to do next. */
  #save(): void {
    try {
      this.#credentials.save();
    } catch (error) {
      if (!(error instanceof StoreError)) logFailure(error);
      this.#tell(() => this.#listener.unsaved?.());
    }
  }

  #update(update: Partial<ConnectionState>): void {
    const { qr, isNewLogin, connection, lastDisconnect } = update;
    if (qr) this.#tell(() => this.#listener.code?.(qr));
    if (isNewLogin || connection === 'open') {
      const { phone } = this.#credentials;
      // Nobody is linked or logged in who has no number.
      if (phone === undefined) this.#fault({ kind: 'broken' });
      else this.#tell(() => (isNewLogin ? this.#listener.paired?.(phone) : this.#listener.open()));
    }
    if (connection === 'close') this.#tell(() => this.#close(codeOf(lastDisconnect?.error)));
  }

  #fault(fault: Fault): void {
    this.#tell(() => this.#listener.faulty?.(fault));
    if (fault.kind === 'left-out') return;
    this.#tell(() => {
      this.end();
      this.#close(0);
    });
  }

  #close(code: number): void {
    this.#finish();
    this.#listener.closed({ code, reached: this.#reached });
  }

  /** Has the library do something: what it fails to catch is this line's. */
  #use<T>(task: () => T): T {
    return inLibrary((error) => this.#fault({ kind: 'failed', error }), task);
  }

  /** What fails here is a bug of ours, and neither the library nor the line can help it. */
  #tell(what: () => void): void {
    if (this.#ended) return;
    try {
      outsideLibrary(what);
    } catch (error) {
      logFailure(error);
    }
  }

  #finish(): void {
    this.#ended = true;
    this.#settleEnded();
  }
}

/** The status code that the library hangs on its errors, as Boom does; 0 where there is none. */
function codeOf(error: Error | undefined): number {
  if (!error || !('output' in error)) return 0;
  const { output } = error;
  if (typeof output !== 'object' || output === null || !('statusCode' in output)) return 0;
  return typeof output.statusCode === 'number' ? output.statusCode : 0;
}
