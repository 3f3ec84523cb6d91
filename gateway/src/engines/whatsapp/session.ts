import { unlessStoreFails } from '../../ledger/operations.ts';
import { ignoreStoreError } from '../../ledger/store-error.ts';
import { numeroKey, sameNumero } from '../../numbers.ts';
import type { ProxyServer } from '../../proxy/proxy.ts';
import type { Ack, Delivery, End, EngineEvent, Pairing, Report } from '../../sessions/engine.ts';
import { Acks } from '../acks.ts';
import { createCaches } from './caches.ts';
import type { Close } from './close.ts';
import { Codes } from './codes.ts';
import { Connection } from './connection.ts';
import type { DeviceCredentials } from './credentials.ts';
import { Endings } from './endings.ts';
import { FAILURES } from './failures.ts';
import { Outbox } from './outbox.ts';
import { PairingCode } from './pairing-code.ts';
import { limitOf, type Passkey, type PasskeyEvent } from './passkey.ts';
import type { Phase } from './reconnection.ts';
import { type SessionContext, settingsOf } from './session-context.ts';
import { Signs } from './signs.ts';
import { expel, unlink } from './unlink.ts';

/** One start of a session, until it ends or is started again. */
export class WhatsappSession {
  readonly #numero: string;
  readonly #context: SessionContext;
  readonly #outbox: Outbox;
  readonly #codes: Codes;
  readonly #endings: Endings;
  readonly #caches = createCaches();
  /** The statuses of its messages, including those sent before this start. */
  readonly #acks: Acks;
  readonly #signs: Signs;
  /** Undefined before they are read, and when they are void. */
  #credentials: DeviceCredentials | undefined;
  #report: Report;
  #phase: Phase | 'ended' = 'ended';
  #connection: Connection | undefined;
  /** The attempt to connect that is under way or has succeeded; a new one replaces it. */
  #attempt: object | undefined;
  /** Pending while a connection is being closed, or the device unlinked. */
  #closing: Promise<unknown> | undefined;
  readonly #released = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #wasReady = false;
  /** The version of WhatsApp Web that its last connection presented, and the proxy that it went through. */
  #presented = '';
  #proxy: ProxyServer | undefined;
  /** The last event reported while reconnecting, or of a passkey; the same one is not reported twice. */
  #reported: EngineEvent | undefined;
  /** Pending while the phone of another number is being unlinked. */
  #unlinking: Promise<void> | undefined;
  readonly #pairing = new PairingCode((pairing) => this.#report({ type: 'pairing', pairing }));
  #name: string | undefined;

  /** @param before its start before this one, which was stopped */
  constructor(numero: string, context: SessionContext, report: Report, before: WhatsappSession | undefined) {
    const { timings } = context;
    this.#numero = numero;
    this.#context = context;
    this.#report = report;
    this.#acks = before ? before.#acks : new Acks();
    this.#signs = before ? before.#signs : new Signs();
    this.#credentials = before ? before.#credentials : undefined;
    this.#codes = new Codes(timings.code);
    this.#endings = new Endings(numero, context, this.#codes);
    this.#outbox = new Outbox(timings, () => this.#openConnection, this.#acks, this.#signs);
  }

  /** Returns the credentials of its device. Throws a `StoreError` if they cannot be read. */
  credentials(): DeviceCredentials {
    this.#credentials ??= this.#context.credentialsOf(this.#numero);
    return this.#credentials;
  }

  /** Whether it has reported that its keys are dead, and nothing else since. */
  get hasDeadKeys(): boolean {
    return this.#reported?.type === 'delayed' && this.#reported.reason === 'dead-keys';
  }

  /** Connects after `delay` milliseconds. */
  start(delay = 0): void {
    if (delay > 0) this.#later(delay, () => this.#connect());
    else this.#connect();
  }

  /** Ends without a report; the account stays linked. Resolves when a new start can begin. */
  async stop(): Promise<void> {
    this.#report = () => {};
    this.#end();
    await this.#unlinking;
  }

  /** Like `stop`, and gives up unlinking. Resolves when no connection and no write is left. */
  async release(): Promise<void> {
    this.#released.abort();
    await this.stop();
    await this.#closing;
    await this.settle();
  }

  /** Resolves when its credentials are written as they are; nothing more is written. */
  async settle(): Promise<void> {
    await this.#credentials?.settled();
    this.#credentials?.drop();
  }

  /** Erases its credentials, or all of it; later writes to them are dropped. See `Ledger`. */
  async erase(what: 'erase' | 'remove' = 'erase'): Promise<void> {
    this.#discard();
    await this.#context.ledger[what](this.#numero);
  }

  /** Ends without a report, and unlinks the device from its account. Returns false if WhatsApp was not reached. */
  async leave(): Promise<boolean> {
    const open = this.#openConnection;
    // Detached, not ended: it is needed to unlink, but its events no longer count.
    if (open) this.#connection = undefined;
    this.#end();
    await this.#unlinking;
    // The start was never saved, so no phone is linked.
    if (!this.#context.ledger.has(this.#numero)) return true;
    // Throws if the disk may recover: if the credentials were erased without telling WhatsApp, the device would stay
    // linked.
    const credentials = unlessStoreFails(
      () => this.credentials(),
      ({ isLoss }) => isLoss,
    );
    return credentials !== undefined && this.#unlink(credentials, open);
  }

  /** Reports that it was unlinked. */
  left(reason?: End): void {
    this.#report(reason ? { type: 'disconnected', reason } : { type: 'disconnected' });
  }

  /** Returns a code to type on the phone; see `Engine.pair`. */
  async pair(): Promise<Pairing> {
    const { typing, query } = this.#context.timings;
    const usable = this.#pairing.lasting(typing);
    if (usable) return usable;
    // After a lost connection, few codes may be left for the next one.
    if (this.#phase === 'connecting') this.#codes.startOver();
    else if (this.#phase === 'code' && this.#codes.end - Date.now() < 2 * typing) {
      // The first code of another connection replaces the one on the screen.
      this.#end();
      this.#codes.startOver();
      this.#connect();
    }
    return this.#pairing.request(() => this.#unlinked, numeroKey(this.#numero), query, this.#codes);
  }

  /** Present at the steps of a passkey. */
  get passkey(): Passkey | undefined {
    return this.#phase === 'passkey' ? this.#connection?.passkey : undefined;
  }

  send(to: string, text: string, acked: (ack: Ack) => void): Promise<Delivery> {
    return this.#outbox.send(to, text, acked);
  }

  /** See `Engine.probe`. */
  async probe(): Promise<boolean> {
    return this.#openConnection?.probe() ?? false;
  }

  /** Connects anew if it is connected; what follows is reported. */
  async reconnect(): Promise<void> {
    if (this.#openConnection) await this.#connectAnew();
  }

  /** Connects anew, through its present proxy, unless it has ended. */
  async reroute(): Promise<void> {
    if (this.#phase === 'ended' && this.#timer === undefined) return;
    this.#codes.startOver();
    this.#reported = { type: 'state', state: 'OPENING' };
    this.#report(this.#reported);
    await this.#connectAnew();
  }

  async #connectAnew(): Promise<void> {
    this.#end();
    const attempt = {};
    this.#attempt = attempt;
    await this.#closing;
    if (this.#attempt === attempt) this.#connect();
  }

  get #openConnection(): Connection | undefined {
    return this.#phase === 'open' ? this.#connection : undefined;
  }

  #connect(): void {
    const credentials = this.credentials();
    const { phone } = credentials;
    if (phone === undefined) this.#open('connecting', credentials);
    else if (sameNumero(phone, this.#numero)) void this.#login(credentials);
    else this.#refuse(phone, credentials);
  }

  /** Logs the device in, unless another process may do so. */
  async #login(credentials: DeviceCredentials): Promise<void> {
    this.#phase = 'opening';
    const attempt = {};
    this.#attempt = attempt;
    const mayLogIn = await this.#context.ledger.confirm(this.#numero).catch(ignoreStoreError);
    if (this.#attempt !== attempt) return;
    if (mayLogIn === undefined) this.#closed({ code: 0, reached: true });
    else if (mayLogIn) this.#open('opening', credentials);
    else this.#end();
  }

  #open(phase: Phase, credentials: DeviceCredentials): void {
    this.#phase = phase;
    const settings = unlessStoreFails(() => settingsOf(this.#numero, this.#context));
    if (!settings) {
      this.#closed({ code: 0, reached: true });
      return;
    }
    this.#presented = this.#context.version.inUse.version;
    this.#proxy = settings.proxy;
    const { warnings, log } = this.#context;
    const ifCurrent = (act: () => void) => {
      if (this.#connection === connection) act();
    };
    const connection: Connection = new Connection(
      settings,
      credentials,
      {
        code: (text, isNew) => ifCurrent(() => this.#code(text, isNew)),
        scanned: () => ifCurrent(() => this.#scanned()),
        paired: (by) => ifCurrent(() => this.#paired(by)),
        passkey: (event) => ifCurrent(() => this.#onPasskey(event)),
        unsaved: () => ifCurrent(() => this.#unsaved()),
        failed: ({ kind, error: err }) =>
          ifCurrent(() => warnings.warn(log, FAILURES[kind], { numero: this.#numero, err })),
        open: () => ifCurrent(() => this.#opened()),
        name: (name) => ifCurrent(() => this.#named(name)),
        ack: (id, ack) => this.#acks.note(id, ack),
        sign: (sign) => ifCurrent(() => this.#report(sign)),
        closed: (close) => ifCurrent(() => this.#closed(close)),
      },
      this.#caches,
      this.#signs,
    );
    this.#connection = connection;
    this.#expectMore(connection);
  }

  #code(code: string, isNew: boolean): void {
    // Another code may arrive after the scan.
    if (!this.#unlinked) return;
    clearTimeout(this.#timer);
    this.#recovered();
    if (isNew && !this.#codes.add(this.#phase === 'connecting')) {
      this.#finish(this.#endings.unscanned);
      return;
    }
    this.#phase = 'code';
    this.#report({ type: 'qr', code, expires: this.#codes.expires });
  }

  /** The connection that shows codes to scan, or is about to. */
  get #unlinked(): Connection | undefined {
    return this.#phase === 'connecting' || this.#phase === 'code' ? this.#connection : undefined;
  }

  #scanned(): void {
    this.#phase = 'scanned';
    this.#pairing.end();
    if (this.#connection) this.#expectMore(this.#connection);
  }

  #paired(phone: string): void {
    this.#phase = 'linking';
    // The phone of another number is unlinked on the next connection: on this one it is not possible yet.
    if (sameNumero(phone, this.#numero)) this.#report({ type: 'authenticated' });
  }

  #onPasskey(event: PasskeyEvent): void {
    if (!this.#unlinked && this.#phase !== 'passkey') return;
    if (event.type === 'stopped') this.#finish(event);
    else {
      this.#phase = 'passkey';
      this.#pairing.end();
      const { time, over } = limitOf(event.passkey.step, this.#context.timings);
      this.#later(time, () => this.#onPasskey(over));
      this.#reportOnce(event);
    }
  }

  /** Aborts a link that would be unknown after a restart. */
  #unsaved(): void {
    if (!this.#unlinked && this.#phase !== 'scanned') return;
    this.#discard();
    this.#finish({ type: 'disconnected', reason: 'unsaved' });
  }

  #opened(): void {
    clearTimeout(this.#timer);
    this.#recovered();
    this.#endings.opened();
    this.#phase = 'open';
    this.#report(this.#wasReady ? { type: 'state', state: 'CONNECTED' } : { type: 'ready' });
    this.#wasReady = true;
  }

  #named(name: string): void {
    if (name === this.#name) return;
    this.#name = name;
    this.#report({ type: 'name', name });
  }

  #closed(close: Close): void {
    if (this.#phase === 'ended') return;
    const phase = this.#phase;
    this.#end();
    const aftermath = this.#endings.after(phase, close, this.#presented, this.#proxy);
    switch (aftermath.next) {
      case 'connect':
        this.#connect();
        break;
      case 'retry':
        this.#reportOnce(aftermath.event);
        this.#retry(aftermath.wait, aftermath.sooner);
        break;
      case 'end':
        if (aftermath.erases) void this.erase();
        this.#finish(aftermath.event);
    }
  }

  #reportOnce(event: EngineEvent): void {
    if (JSON.stringify(event) !== JSON.stringify(this.#reported)) this.#report(event);
    this.#reported = event;
  }

  /** Connects after `wait` milliseconds, unless `sooner` brings a shorter wait before. */
  #retry(wait: number, sooner?: Promise<number | undefined>): void {
    this.#later(wait, () => this.#connect());
    const timer = this.#timer;
    void sooner?.then((shorter) => {
      if (shorter !== undefined && this.#timer === timer) this.#retry(shorter);
    });
  }

  /** Unlinks the phone of another number, and erases its credentials. */
  #refuse(phone: string, credentials: DeviceCredentials): void {
    this.#finish({ type: 'stopped', reason: 'other-number', numero: phone });
    this.#unlinking = expel(this.#numero, phone, this.#context, {
      unlink: () => this.#unlink(credentials),
      erase: () => this.erase(),
      signal: this.#released.signal,
    });
  }

  async #unlink(credentials: DeviceCredentials, open?: Connection): Promise<boolean> {
    const { signal } = this.#released;
    const unlinked = unlink(this.#numero, this.#context, credentials, { signal, open });
    this.#closing = Promise.allSettled([this.#closing, unlinked]);
    return unlinked;
  }

  #discard(): void {
    this.#credentials?.drop();
    this.#credentials = undefined;
  }

  /** Ends, with a last report. */
  #finish(event: EngineEvent): void {
    this.#end();
    this.#report(event);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#phase = 'ended';
    this.#context.connectivity.forget(this.#numero);
    this.#pairing.end();
    this.#attempt = undefined;
    if (this.#connection) this.#closing = this.#connection.end();
    this.#connection = undefined;
  }

  /** Notes that WhatsApp was reached. */
  #recovered(): void {
    this.#context.connectivity.succeeded();
    this.#reported = undefined;
  }

  /** Treats the connection as lost if nothing follows in time. */
  #expectMore(connection: Connection): void {
    this.#later(this.#context.timings.opening, () => this.#closed(connection.silence));
  }

  #later(ms: number, task: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(task, ms);
  }
}
