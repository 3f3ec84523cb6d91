import type { Delivery, EngineEvent, Report } from '../../sessions/engine.ts';
import { sameNumero } from '../../sessions/numbers.ts';
import { unlessLost } from '../../store/disk.ts';
import type { SqliteStore } from '../../store/sqlite-store.ts';
import { createCaches } from './caches.ts';
import { Connection, type ConnectionSettings } from './connection.ts';
import { type Connectivity, FailureLog } from './failures.ts';
import { Outbox } from './outbox.ts';
import { BackOff, type Close, disconnectReason, type Phase } from './reconnection.ts';
import { unlink } from './unlink.ts';

/** Codes per start, as many as WhatsApp Web shows. */
const CODES = 6;

/** What all sessions of an engine share. */
export interface SessionContext {
  readonly settings: ConnectionSettings;
  readonly store: SqliteStore;
  readonly connectivity: Connectivity;
}

/** One start of a session, until it ends or is started again. */
export class WhatsappSession {
  readonly #numero: string;
  readonly #settings: ConnectionSettings;
  readonly #store: SqliteStore;
  readonly #connectivity: Connectivity;
  readonly #outbox: Outbox;
  readonly #backOff: BackOff;
  readonly #failures: FailureLog;
  readonly #caches = createCaches();
  #report: Report;
  #phase: Phase | 'ended' = 'ended';
  #connection: Connection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #codes = 0;
  #wasReady = false;
  /** The last event reported while reconnecting; the same one is not reported twice. */
  #reported: EngineEvent | undefined;
  /** Pending while the phone of another number is being unlinked. */
  #unlinking: Promise<void> | undefined;

  constructor(numero: string, { settings, store, connectivity }: SessionContext, report: Report) {
    this.#numero = numero;
    this.#settings = settings;
    this.#store = store;
    this.#connectivity = connectivity;
    this.#report = report;
    this.#backOff = new BackOff(settings.timings.steady);
    this.#failures = new FailureLog(numero, settings.log);
    this.#outbox = new Outbox(settings.timings, () =>
      this.#phase === 'open' ? this.#connection : undefined,
    );
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

  /** Ends, and unlinks the device from its account. Returns false if WhatsApp could not be told. */
  async leave(): Promise<boolean> {
    const open = this.#phase === 'open' ? this.#connection : undefined;
    // Detached, not ended: it is needed to unlink, but its events no longer count.
    if (open) this.#connection = undefined;
    this.#finish({ type: 'disconnected' });
    await this.stop();
    // The start was never saved, so no phone is linked.
    if (!this.#store.has(this.#numero)) return true;
    // Throws if the disk may recover: erased without telling WhatsApp, the device would stay linked.
    const credentials = unlessLost(() => this.#store.credentials(this.#numero));
    return credentials !== undefined && unlink(this.#settings, credentials, open);
  }

  send(to: string, text: string): Promise<Delivery> {
    return this.#outbox.send(to, text);
  }

  #connect(): void {
    const credentials = this.#store.credentials(this.#numero);
    const { phone } = credentials;
    if (phone !== undefined && !sameNumero(phone, this.#numero)) {
      this.#refuse(phone);
      return;
    }
    this.#phase = phone === undefined ? 'connecting' : 'opening';
    const ifCurrent = (act: () => void) => {
      if (this.#connection === connection) act();
    };
    const connection: Connection = new Connection(
      this.#settings,
      credentials,
      {
        code: (text) => ifCurrent(() => this.#code(text)),
        paired: (by) => ifCurrent(() => this.#paired(by)),
        passkey: () => ifCurrent(() => this.#passkey()),
        unsaved: () => ifCurrent(() => this.#unsaved()),
        failed: (failure) => ifCurrent(() => this.#failures.add(failure)),
        open: () => ifCurrent(() => this.#opened()),
        closed: (close) => ifCurrent(() => this.#closed(close)),
      },
      this.#caches,
    );
    this.#connection = connection;
    this.#expectMore(connection);
  }

  #code(code: string): void {
    // One more may arrive after the scan.
    if (this.#phase !== 'connecting' && this.#phase !== 'code') return;
    clearTimeout(this.#timer);
    this.#recovered();
    if (this.#codes === CODES) {
      this.#finish({ type: 'qr_timeout' });
      return;
    }
    this.#codes++;
    this.#phase = 'code';
    this.#report({ type: 'qr', code });
  }

  #paired(phone: string): void {
    this.#phase = 'linking';
    if (this.#connection) this.#expectMore(this.#connection);
    // The phone of another number is unlinked on the next connection: on this one it is not possible yet.
    if (sameNumero(phone, this.#numero)) this.#report({ type: 'authenticated' });
  }

  #passkey(): void {
    if (this.#phase !== 'connecting' && this.#phase !== 'code') return;
    this.#finish({ type: 'stopped', reason: 'passkey' });
  }

  /** Aborts a link that would be unknown after a restart. */
  #unsaved(): void {
    if (this.#phase !== 'connecting' && this.#phase !== 'code') return;
    this.#store.discard(this.#numero);
    this.#finish({ type: 'disconnected' });
  }

  #opened(): void {
    clearTimeout(this.#timer);
    this.#recovered();
    this.#backOff.opened();
    this.#phase = 'open';
    this.#report(this.#wasReady ? { type: 'state', state: 'CONNECTED' } : { type: 'ready' });
    this.#wasReady = true;
  }

  #closed(close: Close): void {
    if (this.#phase === 'ended') return;
    const reason = disconnectReason(this.#phase, close);
    const { retryFirst, retryMost, outdatedFirst, outdatedMost } = this.#settings.timings;
    this.#end();
    switch (reason) {
      case 'restart-required':
        this.#connect();
        return;
      case 'qr-timeout':
        this.#finish({ type: 'qr_timeout' });
        return;
      case 'logged-out':
        this.#store.erase(this.#numero);
        this.#finish({ type: 'disconnected' });
        return;
      case 'restricted':
        this.#store.erase(this.#numero);
        this.#finish({ type: 'stopped', reason });
        return;
      case 'replaced':
        this.#finish({ type: 'stopped', reason });
        return;
      case 'outdated':
        this.#retry({ type: 'delayed', reason }, outdatedFirst, outdatedMost);
        return;
      case 'unreachable':
        this.#connectivity.failed();
        this.#retry({ type: 'delayed', reason }, retryFirst, retryMost);
        return;
      case 'connection-lost':
        this.#retry({ type: 'state', state: 'OPENING' }, retryFirst, retryMost);
    }
  }

  #retry(event: EngineEvent, first: number, most: number): void {
    if (JSON.stringify(event) !== JSON.stringify(this.#reported)) this.#report(event);
    this.#reported = event;
    this.#later(this.#backOff.next(first, most), () => this.#connect());
  }

  /** Unlinks the phone of another number, and erases its credentials. */
  #refuse(phone: string): void {
    this.#finish({ type: 'stopped', reason: 'other-number', numero: phone });
    const unlinked = unlink(this.#settings, this.#store.credentials(this.#numero));
    this.#unlinking = unlinked.then((told) => this.#forget(phone, told));
  }

  #forget(phone: string, told: boolean): void {
    // The next start of the gateway does it again.
    if (!this.#store.isOpen) return;
    this.#store.erase(this.#numero);
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
    this.#connection?.end();
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
