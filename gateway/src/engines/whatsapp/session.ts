import type { EngineLedger } from '../../ledger/ledger.ts';
import { unlessLost } from '../../ledger/operations.ts';
import type { Ack, Delivery, End, EngineEvent, Pairing, Report } from '../../sessions/engine.ts';
import { NotPairable, StoreError } from '../../sessions/errors.ts';
import { numeroKey, sameNumero } from '../../sessions/numbers.ts';
import type { Acks } from '../acks.ts';
import { createCaches } from './caches.ts';
import type { Close } from './close.ts';
import { Codes } from './codes.ts';
import { Connection, type ConnectionSettings } from './connection.ts';
import type { DeviceCredentials } from './credentials.ts';
import type { Devices } from './devices.ts';
import { type Connectivity, FailureLog } from './failures.ts';
import { Outbox } from './outbox.ts';
import { requestPairing } from './pairing.ts';
import { BackOff, disconnectReason, type Phase } from './reconnection.ts';
import { unlink } from './unlink.ts';

/** Longest wait for the end of a ban, in milliseconds: WhatsApp may lift it earlier, and timers have a limit. */
const DAY = 24 * 60 * 60_000;

/** The parts that all sessions of an engine share. */
export interface SessionContext {
  readonly settings: ConnectionSettings;
  readonly store: EngineLedger;
  readonly devices: Devices;
  readonly connectivity: Connectivity;
}

/** One start of a session, until it ends or is started again. */
export class WhatsappSession {
  readonly #numero: string;
  readonly #settings: ConnectionSettings;
  readonly #store: EngineLedger;
  readonly #devices: Devices;
  readonly #connectivity: Connectivity;
  readonly #outbox: Outbox;
  readonly #codes: Codes;
  readonly #backOff: BackOff;
  readonly #failures: FailureLog;
  readonly #caches = createCaches();
  /** The statuses of its messages, including those sent before this start. */
  readonly acks: Acks;
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
  /** The last event reported while reconnecting; the same one is not reported twice. */
  #reported: EngineEvent | undefined;
  /** Pending while the phone of another number is being unlinked. */
  #unlinking: Promise<void> | undefined;

  /** The code to type on the phone. */
  #pairing: Pairing | undefined;
  #name: string | undefined;

  constructor(
    numero: string,
    { settings, store, devices, connectivity }: SessionContext,
    report: Report,
    acks: Acks,
  ) {
    this.#numero = numero;
    this.#settings = settings;
    this.#store = store;
    this.#devices = devices;
    this.#connectivity = connectivity;
    this.#report = report;
    this.acks = acks;
    this.#backOff = new BackOff(settings.timings.steady);
    this.#failures = new FailureLog(numero, settings.log);
    this.#codes = new Codes(settings.timings.code);
    const open = () => (this.#phase === 'open' ? this.#connection : undefined);
    this.#outbox = new Outbox(settings.timings, open, acks);
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

  /** Like `stop`, and gives up unlinking. Resolves when no connection is left. */
  async release(): Promise<void> {
    this.#released.abort();
    await this.stop();
    await this.#closing;
  }

  /** Ends without a report, and unlinks the device from its account. Returns false if WhatsApp was not reached. */
  async leave(): Promise<boolean> {
    const open = this.#phase === 'open' ? this.#connection : undefined;
    // Detached, not ended: it is needed to unlink, but its events no longer count.
    if (open) this.#connection = undefined;
    this.#end();
    await this.#unlinking;
    // The start was never saved, so no phone is linked.
    if (!this.#store.has(this.#numero)) return true;
    // Throws if the disk may recover: if the credentials were erased without telling WhatsApp, the device would stay
    // linked.
    const credentials = unlessLost(() => this.#devices.get(this.#numero));
    return credentials !== undefined && this.#unlink(credentials, open);
  }

  /** Reports that it was unlinked. */
  left(reason?: End): void {
    this.#report(reason ? { type: 'disconnected', reason } : { type: 'disconnected' });
  }

  /** Returns a code to type on the phone; see `Engine.pair`. */
  async pair(): Promise<Pairing> {
    const { typing } = this.#settings.timings;
    if (this.#pairing && this.#pairing.expires - Date.now() >= typing) return this.#pairing;
    return this.#requestPairing(2 * typing);
  }

  send(to: string, text: string, acked: (ack: Ack) => void): Promise<Delivery> {
    return this.#outbox.send(to, text, acked);
  }

  #connect(): void {
    const credentials = this.#devices.get(this.#numero);
    const { phone } = credentials;
    if (phone === undefined) {
      this.#open('connecting', credentials);
    } else if (sameNumero(phone, this.#numero)) {
      void this.#login(credentials);
    } else {
      this.#refuse(phone, credentials);
    }
  }

  /** Logs the device in, unless another process may do so. */
  async #login(credentials: DeviceCredentials): Promise<void> {
    this.#phase = 'opening';
    const attempt = {};
    this.#attempt = attempt;
    const mayLogIn = await this.#store.confirm(this.#numero).catch((error: unknown) => {
      if (error instanceof StoreError) return undefined;
      throw error;
    });
    if (this.#attempt !== attempt) return;
    if (mayLogIn === undefined) this.#closed({ code: 0, reached: true });
    else if (mayLogIn) this.#open('opening', credentials);
    else this.#end();
  }

  #open(phase: Phase, credentials: DeviceCredentials): void {
    this.#phase = phase;
    const ifCurrent = (act: () => void) => {
      if (this.#connection === connection) act();
    };
    const connection: Connection = new Connection(
      this.#settings,
      credentials,
      {
        code: (text) => ifCurrent(() => this.#code(text)),
        scanned: () => ifCurrent(() => this.#scanned()),
        paired: (by) => ifCurrent(() => this.#paired(by)),
        passkey: () => ifCurrent(() => this.#passkey()),
        unsaved: () => ifCurrent(() => this.#unsaved()),
        failed: (failure) => ifCurrent(() => this.#failures.add(failure)),
        open: () => ifCurrent(() => this.#opened()),
        name: (name) => ifCurrent(() => this.#named(name)),
        ack: (id, ack) => this.acks.note(id, ack),
        closed: (close) => ifCurrent(() => this.#closed(close)),
      },
      this.#caches,
    );
    this.#connection = connection;
    this.#expectMore(connection);
  }

  #code(code: string): void {
    // Another code may arrive after the scan.
    if (!this.#isUnlinked) return;
    clearTimeout(this.#timer);
    this.#recovered();
    if (!this.#codes.add(this.#phase === 'connecting')) {
      this.#finish({ type: 'qr_timeout' });
      return;
    }
    this.#phase = 'code';
    this.#report({ type: 'qr', code, expires: this.#codes.expires });
  }

  /** @param least how long the code must last, in milliseconds */
  async #requestPairing(least: number): Promise<Pairing> {
    // After a lost connection, few codes may be left for the next one.
    if (this.#phase === 'connecting') this.#codes.startOver();
    else if (this.#phase === 'code' && this.#codes.end - Date.now() < least) this.#startOver();
    const connection = this.#connection;
    if (!connection || !this.#isUnlinked) throw new NotPairable('not-waiting');
    const deadline = AbortSignal.timeout(this.#settings.timings.query);
    const digits = numeroKey(this.#numero);
    const code = await requestPairing(connection, digits, deadline);
    if (this.#connection !== connection || !this.#isUnlinked) throw new NotPairable('not-waiting');
    const pairing = { code, expires: this.#codes.end };
    this.#setPairing(pairing);
    return pairing;
  }

  /** Whether the connection shows codes to scan, or is about to. */
  get #isUnlinked(): boolean {
    return this.#phase === 'connecting' || this.#phase === 'code';
  }

  /** Replaces the connection with one that shows all its codes. Its first code replaces the one on the screen. */
  #startOver(): void {
    this.#end();
    this.#codes.startOver();
    this.#connect();
  }

  #setPairing(pairing: Pairing | undefined): void {
    if (pairing === this.#pairing) return;
    this.#pairing = pairing;
    this.#report({ type: 'pairing', pairing });
  }

  #scanned(): void {
    this.#phase = 'scanned';
    this.#setPairing(undefined);
    if (this.#connection) this.#expectMore(this.#connection);
  }

  #paired(phone: string): void {
    this.#phase = 'linking';
    // The phone of another number is unlinked on the next connection: on this one it is not possible yet.
    if (sameNumero(phone, this.#numero)) this.#report({ type: 'authenticated' });
  }

  #passkey(): void {
    if (!this.#isUnlinked) return;
    this.#finish({ type: 'stopped', reason: 'passkey' });
  }

  /** Aborts a link that would be unknown after a restart. */
  #unsaved(): void {
    if (!this.#isUnlinked && this.#phase !== 'scanned') return;
    this.#devices.discard(this.#numero);
    this.#finish({ type: 'disconnected', reason: 'unsaved' });
  }

  #opened(): void {
    clearTimeout(this.#timer);
    this.#recovered();
    this.#backOff.opened();
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
    const reason = disconnectReason(this.#phase, close);
    const { retryFirst, retryMost } = this.#settings.timings;
    this.#end();
    switch (reason) {
      case 'restart-required':
        this.#connect();
        return;
      case 'qr-timeout':
        this.#finish({ type: 'qr_timeout' });
        return;
      case 'refused':
        this.#finish({ type: 'disconnected' });
        return;
      case 'logged-out':
        void this.#devices.erase(this.#numero);
        this.#finish({ type: 'disconnected', reason });
        return;
      case 'restricted':
        void this.#devices.erase(this.#numero);
        this.#finish({ type: 'stopped', reason });
        return;
      case 'replaced':
        this.#finish({ type: 'stopped', reason });
        return;
      case 'outdated':
        this.#retry({ type: 'delayed', reason }, this.#patience());
        return;
      case 'banned': {
        // At the end of the ban the next attempt may come a little early.
        const wait = close.ban ? close.ban + this.#backOff.next(retryFirst, retryMost) : this.#patience();
        const until = Date.now() + (close.ban ?? wait);
        this.#retry({ type: 'delayed', reason, until }, Math.min(wait, DAY));
        return;
      }
      case 'unreachable':
        this.#connectivity.failed();
        this.#retry({ type: 'delayed', reason }, this.#backOff.next(retryFirst, retryMost));
        return;
      case 'connection-lost':
        this.#retry({ type: 'state', state: 'OPENING' }, this.#backOff.next(retryFirst, retryMost));
    }
  }

  /** Returns the next wait if retrying soon does not help, in milliseconds. */
  #patience(): number {
    const { patientFirst, patientMost } = this.#settings.timings;
    return this.#backOff.next(patientFirst, patientMost);
  }

  /** @param wait in milliseconds */
  #retry(event: EngineEvent, wait: number): void {
    if (JSON.stringify(event) !== JSON.stringify(this.#reported)) this.#report(event);
    this.#reported = event;
    this.#later(wait, () => this.#connect());
  }

  /** Unlinks the phone of another number, and erases its credentials. */
  #refuse(phone: string, credentials: DeviceCredentials): void {
    this.#finish({ type: 'stopped', reason: 'other-number', numero: phone });
    this.#unlinking = this.#unlink(credentials).then(
      (told) => this.#forget(phone, told),
      (error: unknown) => {
        // Whoever carries the session next does it again.
        if (!(error instanceof StoreError)) throw error;
      },
    );
  }

  #unlink(credentials: DeviceCredentials, open?: Connection): Promise<boolean> {
    const confirm = () => this.#store.confirm(this.#numero);
    const unlinked = unlink(this.#settings, credentials, { confirm, signal: this.#released.signal, open });
    this.#closing = Promise.allSettled([this.#closing, unlinked]);
    return unlinked;
  }

  async #forget(phone: string, told: boolean): Promise<void> {
    // The next start of the gateway does it again, or whoever carries the session next.
    if (!this.#store.isOpen || this.#released.signal.aborted) return;
    await this.#devices.erase(this.#numero);
    if (told) return;
    this.#settings.log.warn(
      { numero: this.#numero },
      `WhatsApp could not be told to unlink ${phone}, which was scanned for ${this.#numero}: ` +
        'remove the device on the phone.',
    );
  }

  /** Ends, with a last report. */
  #finish(event: EngineEvent): void {
    this.#end();
    this.#report(event);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#phase = 'ended';
    this.#setPairing(undefined);
    this.#attempt = undefined;
    if (this.#connection) this.#closing = this.#connection.end();
    this.#connection = undefined;
  }

  /** Notes that WhatsApp was reached. */
  #recovered(): void {
    this.#connectivity.succeeded();
    this.#reported = undefined;
  }

  /** Treats the connection as lost if nothing follows in time. */
  #expectMore(connection: Connection): void {
    const close = () => this.#closed({ code: 0, reached: connection.reached });
    this.#later(this.#settings.timings.opening, close);
  }

  #later(ms: number, task: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(task, ms);
  }
}
