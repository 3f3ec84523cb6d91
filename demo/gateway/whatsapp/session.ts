import type { Delivery, EngineEvent, Report } from '../engine.ts';
import { sameNumero } from '../numbers.ts';
import { createCaches } from './caches.ts';
import { Connection, type Line } from './connection.ts';
import type { Connectivity } from './connectivity.ts';
import { type Close, disconnectReason, type Phase } from './disconnect-reason.ts';
import { unlessLost } from './disk.ts';
import { Faults } from './faults.ts';
import { Outbox } from './outbox.ts';
import { Retries } from './retries.ts';
import type { Store } from './store.ts';
import { unlink } from './unlink.ts';

/** As many codes as WhatsApp Web shows for one start; nobody may stand before them any more. */
const CODES = 6;

/** What all sessions of an engine have in common. */
export interface Surroundings {
  readonly line: Line;
  readonly store: Store;
  readonly connectivity: Connectivity;
  /** Gets what whoever runs the gateway should know, a sentence at a time. */
  readonly print: (sentence: string) => void;
}

/** One start of a session: what happens from there until it ends or is started over. */
export class Session {
  readonly #numero: string;
  readonly #line: Line;
  readonly #store: Store;
  readonly #connectivity: Connectivity;
  readonly #print: (sentence: string) => void;
  readonly #outbox: Outbox;
  readonly #retries: Retries;
  readonly #faults: Faults;
  readonly #caches = createCaches();
  #report: Report;
  #phase: Phase | 'ended' = 'ended';
  #connection: Connection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #codes = 0;
  #wasReady = false;
  /** What was said last of a session that does not go on; said once. */
  #trouble: EngineEvent | undefined;
  /** The phone of another number is being unlinked. */
  #refusal: Promise<void> | undefined;

  constructor(numero: string, { line, store, connectivity, print }: Surroundings, report: Report) {
    this.#numero = numero;
    this.#line = line;
    this.#store = store;
    this.#connectivity = connectivity;
    this.#print = print;
    this.#report = report;
    this.#retries = new Retries(line.timings.steady);
    this.#faults = new Faults(numero, print);
    this.#outbox = new Outbox(line.timings, () => (this.#phase === 'open' ? this.#connection : undefined));
  }

  /** Begins, after `delay` ms. */
  start(delay = 0): void {
    if (delay > 0) this.#later(delay, () => this.#connect());
    else this.#connect();
  }

  /** Ends without a word; the account stays linked. Resolves when a new start can begin. */
  async stop(): Promise<void> {
    this.#report = () => {};
    this.#end();
    await this.#refusal;
  }

  /** Ends, and unlinks the device from its account; false if WhatsApp could not be told. */
  async leave(): Promise<boolean> {
    const open = this.#phase === 'open' ? this.#connection : undefined;
    // The line is still needed; what it tells from here on is about nobody.
    if (open) this.#connection = undefined;
    this.#finish({ type: 'disconnected' });
    await this.stop();
    // Its start never came to the disk, so nobody is linked.
    if (!this.#store.has(this.#numero)) return true;
    // Erased before WhatsApp was told, what can be read later would stay linked.
    const credentials = unlessLost(() => this.#store.credentials(this.#numero));
    return credentials !== undefined && unlink(this.#line, credentials, open);
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
    const now = (act: () => void) => {
      if (this.#connection === connection) act();
    };
    const connection: Connection = new Connection(
      this.#line,
      credentials,
      {
        code: (text) => now(() => this.#code(text)),
        paired: (by) => now(() => this.#paired(by)),
        passkey: () => now(() => this.#passkey()),
        unsaved: () => now(() => this.#unsaved()),
        faulty: (fault) => now(() => this.#faults.tell(fault)),
        open: () => now(() => this.#opened()),
        closed: (close) => now(() => this.#closed(close)),
      },
      this.#caches,
    );
    this.#connection = connection;
    this.#expectMore(connection);
  }

  #code(code: string): void {
    // A last one may cross with the scan.
    if (this.#phase !== 'connecting' && this.#phase !== 'code') return;
    clearTimeout(this.#timer);
    this.#goesOn();
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
    // The phone of another number is refused on the next connection: on this one it cannot be unlinked yet.
    if (sameNumero(phone, this.#numero)) this.#report({ type: 'authenticated' });
  }

  #passkey(): void {
    if (this.#phase !== 'connecting' && this.#phase !== 'code') return;
    this.#finish({ type: 'stopped', reason: 'passkey' });
  }

  /** A link that the gateway's next start would not know of must not come about. */
  #unsaved(): void {
    if (this.#phase !== 'connecting' && this.#phase !== 'code') return;
    this.#store.discard(this.#numero);
    this.#finish({ type: 'disconnected' });
  }

  #opened(): void {
    clearTimeout(this.#timer);
    this.#goesOn();
    this.#retries.opened();
    this.#phase = 'open';
    this.#report(this.#wasReady ? { type: 'state', state: 'CONNECTED' } : { type: 'ready' });
    this.#wasReady = true;
  }

  #closed(close: Close): void {
    if (this.#phase === 'ended') return;
    const reason = disconnectReason(this.#phase, close);
    const { retryFirst, retryMost, outdatedFirst, outdatedMost } = this.#line.timings;
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

  #retry(trouble: EngineEvent, first: number, most: number): void {
    if (JSON.stringify(trouble) !== JSON.stringify(this.#trouble)) this.#report(trouble);
    this.#trouble = trouble;
    this.#later(this.#retries.next(first, most), () => this.#connect());
  }

  /** The phone of another number was linked: WhatsApp is told to forget this device, and the store forgets it. */
  #refuse(phone: string): void {
    this.#finish({ type: 'stopped', reason: 'other-number', numero: phone });
    const unlinked = unlink(this.#line, this.#store.credentials(this.#numero));
    this.#refusal = unlinked.then((told) => this.#forget(phone, told));
  }

  #forget(phone: string, told: boolean): void {
    // The next start of the gateway refuses it again.
    if (!this.#store.isOpen) return;
    this.#store.erase(this.#numero);
    if (told) return;
    this.#print(
      `WhatsApp could not be told that ${phone} is not linked as ${this.#numero}: ` +
        "remove it from the phone's devices.",
    );
  }

  /** Ends by itself, with a last word. */
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

  /** WhatsApp was reached, and what was wrong before is over. */
  #goesOn(): void {
    this.#connectivity.succeeded();
    this.#trouble = undefined;
  }

  /** A line on which nothing comes next is as good as lost. */
  #expectMore(connection: Connection): void {
    const close = () => this.#closed({ code: 0, reached: connection.reached });
    this.#later(this.#line.timings.opening, close);
  }

  #later(ms: number, task: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(task, ms);
  }
}
