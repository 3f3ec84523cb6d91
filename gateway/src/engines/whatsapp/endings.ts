import type { ProxyServer } from '../../proxy/proxy.ts';
import type { EngineEvent } from '../../sessions/engine.ts';
import type { Close } from './close.ts';
import type { Codes } from './codes.ts';
import { BackOff, disconnectReason, type Phase } from './reconnection.ts';
import type { SessionContext } from './session-context.ts';

/** Longest wait for the end of a ban, in milliseconds: WhatsApp may lift it earlier, and timers have a limit. */
const DAY = 24 * 60 * 60_000;

/**
 * After how many failed logins in a row keys may be dead, and after how long they are although no other session logs in
 * meanwhile, if all that time none fails to, in milliseconds.
 */
const DEAD = { logins: 6, time: 60 * 60_000 };

/** The logins in a row that WhatsApp has closed. Moments are those of `performance.now()`, `Infinity` before there is one. */
const NONE_FAILED = {
  logins: 0,
  /** When the first one was. */
  since: Number.POSITIVE_INFINITY,
  /** How many of them since another session has logged in. */
  own: 0,
  /** Since when no other session fails to log in. */
  alone: Number.POSITIVE_INFINITY,
};

/** What a session does after the end of a connection. */
export type Aftermath =
  /** Connects again at once, without a report. */
  | { readonly next: 'connect' }
  /**
   * Reports the event, and connects again after `wait` milliseconds; `sooner` may resolve with a shorter wait from then
   * on.
   */
  | {
      readonly next: 'retry';
      readonly event: EngineEvent;
      readonly wait: number;
      readonly sooner?: Promise<number | undefined>;
    }
  /** Ends with a last report; `erases` if its credentials are void. */
  | { readonly next: 'end'; readonly event: EngineEvent; readonly erases?: true };

type EndingsContext = Pick<SessionContext, 'timings' | 'connectivity' | 'version'>;

/** Decides, for one start of a session, what follows the ends of its connections. */
export class Endings {
  readonly #numero: string;
  readonly #context: EndingsContext;
  readonly #codes: Codes;
  readonly #soon: BackOff;
  readonly #patient: BackOff;
  #openSince = Number.POSITIVE_INFINITY;
  /** Whether WhatsApp has rejected the credentials, which the next connection confirms or refutes. */
  #isDoubted = false;
  #failed = NONE_FAILED;

  constructor(numero: string, context: EndingsContext, codes: Codes) {
    const { timings } = context;
    this.#numero = numero;
    this.#context = context;
    this.#codes = codes;
    this.#soon = new BackOff(timings.retryFirst, timings.retryMost);
    this.#patient = new BackOff(timings.patientFirst, timings.patientMost);
  }

  /** Notes that the session has logged in. */
  opened(): void {
    this.#openSince = performance.now();
    this.#failed = NONE_FAILED;
    this.#context.connectivity.loggedIn(this.#numero);
  }

  /** What the session reports when nobody has scanned any of its codes: an outdated client shows them in vain. */
  get unscanned(): EngineEvent {
    return this.#context.version.mayBeOutdated
      ? { type: 'qr_timeout', reason: 'outdated' }
      : { type: 'qr_timeout' };
  }

  /** @param version the one that the connection presented, through `proxy` if it had one */
  after(phase: Phase, close: Close, version: string, proxy?: ProxyServer): Aftermath {
    // A connection that opens and breaks at once is no better than one that does not open.
    if (performance.now() - this.#openSince >= this.#context.timings.steady) this.#recovered();
    this.#openSince = Number.POSITIVE_INFINITY;
    const reason = disconnectReason(phase, close, this.#codes.areOver);
    switch (reason) {
      case 'restart-required':
        return { next: 'connect' };
      case 'qr-timeout':
        return { next: 'end', event: this.unscanned };
      case 'refused':
        return { next: 'end', event: { type: 'disconnected' } };
      case 'logged-out':
        // WhatsApp sometimes rejects credentials that it accepts a moment later, and keys cannot be brought back.
        if (!this.#isDoubted) {
          this.#isDoubted = true;
          return this.#lost();
        }
        return { next: 'end', event: { type: 'disconnected', reason }, erases: true };
      case 'device-removed':
        return { next: 'end', event: { type: 'disconnected', reason }, erases: true };
      case 'restricted':
        return { next: 'end', event: { type: 'stopped', reason }, erases: true };
      case 'replaced':
        return { next: 'end', event: { type: 'stopped', reason } };
      case 'outdated':
        return {
          next: 'retry',
          event: { type: 'delayed', reason },
          wait: this.#patient.next(),
          sooner: this.#context.version
            .replaces(version, proxy)
            .then((isReplaced) => (isReplaced ? this.#soon.next() : undefined)),
        };
      case 'banned': {
        // At the end of the ban the next attempt may come a little early.
        const wait = close.ban ? close.ban + this.#soon.next() : this.#patient.next();
        const until = Date.now() + (close.ban ?? wait);
        return { next: 'retry', event: { type: 'delayed', reason, until }, wait: Math.min(wait, DAY) };
      }
      case 'unreachable':
        // The proxy of one session says nothing about WhatsApp.
        if (!close.proxy) this.#context.connectivity.failed();
        return {
          next: 'retry',
          event: { type: 'delayed', ...(close.proxy ? { reason: 'proxy', ...close.proxy } : { reason }) },
          wait: this.#soon.next(),
        };
      case 'login-failed':
        if (!this.#areKeysDead()) return this.#lost();
        return { next: 'retry', event: { type: 'delayed', reason: 'dead-keys' }, wait: this.#patient.next() };
      case 'connection-lost':
        // Nothing of it can be resumed, and another code is another attempt.
        if (phase === 'passkey') {
          return { next: 'end', event: { type: 'stopped', reason: 'passkey', cause: 'lost' } };
        }
        return this.#lost();
    }
  }

  /**
   * Counts a failed login. Returns whether the cause must be the keys: during an outage of WhatsApp no other session logs
   * in, and others fail to. When WhatsApp comes back, some logins go on failing for a while.
   */
  #areKeysDead(): boolean {
    const { logins, since, own, alone } = this.#failed;
    const now = performance.now();
    const isOnlyOne = this.#context.connectivity.loginFailed(this.#numero);
    const failed = {
      logins: logins + 1,
      since: Math.min(since, now),
      own: own > 0 || this.#context.connectivity.lastLogin > since ? own + 1 : 0,
      alone: isOnlyOne ? Math.min(alone, now) : Number.POSITIVE_INFINITY,
    };
    this.#failed = failed;
    return failed.own >= DEAD.logins || (failed.logins >= DEAD.logins && now - failed.alone >= DEAD.time);
  }

  #lost(): Aftermath {
    return { next: 'retry', event: { type: 'state', state: 'OPENING' }, wait: this.#soon.next() };
  }

  #recovered(): void {
    this.#soon.reset();
    this.#patient.reset();
    this.#isDoubted = false;
  }
}
