import { isDeepStrictEqual } from 'node:util';
import type { WireQuota } from '../../../../src/wire.ts';
import {
  type Ack,
  type Limit,
  type Pairing,
  type PasskeyAssertion,
  type PasskeyChallenge,
  SIGNAL_EVERY,
  type Sign,
} from '../../sessions/engine.ts';
import { NoPasskeyStep } from '../../sessions/errors.ts';
import { AckedMessage, Acks } from '../acks.ts';
import { RemoteError } from './errors.ts';
import type { Account, Code, Known, RemotePasskeys, Sent } from './server.ts';

/** Wait before another request for the code to compare, in milliseconds, and how often it is made: two minutes long. */
const RETRY = 2_000;
const RETRIES = 60;

/** How long the server may go on listing a session at a step that was done, in milliseconds. */
const LAG = 10_000;

interface Parts {
  /** Absent if the server cannot. */
  readonly passkeys: RemotePasskeys | undefined;
  /** Returns the session's name on the server. */
  readonly name: () => string;
  readonly known: () => Known;
  /** Called when a step was done. */
  readonly done: () => void;
  /** Called with the code to compare, while the session is at `confirm`. */
  readonly onCode: (code: string) => void;
}

/** The steps of the passkey of one session. */
export class Passkey {
  readonly #parts: Parts;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #doneAt = Number.NEGATIVE_INFINITY;
  /** Identifies the last request for a code. */
  #fetching: object | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether the list may be older than the step that was done last. */
  get isJustDone(): boolean {
    return performance.now() - this.#doneAt < LAG;
  }

  /** Rejects with `NoPasskeyStep`, or with a `RemoteError`, like `goOn`. */
  async challenge(): Promise<PasskeyChallenge> {
    const { passkeys, name, known } = this.#parts;
    const challenge = known() === 'sign' ? await passkeys?.challenge(name()) : undefined;
    if (!challenge) throw new NoPasskeyStep();
    return challenge;
  }

  /** Signs, or says without an assertion that the codes are the same. */
  async goOn(assertion: PasskeyAssertion | undefined): Promise<void> {
    const { passkeys, name, known, done } = this.#parts;
    const step = assertion ? 'sign' : 'confirm';
    if (known() !== step) throw new NoPasskeyStep();
    const isDone = await (assertion ? passkeys?.sign(name(), assertion) : passkeys?.confirm(name()));
    if (!isDone) throw new NoPasskeyStep();
    // The server may have told already how it went on.
    if (known() !== step) return;
    this.#doneAt = performance.now();
    done();
  }

  /** Fetches the code to compare, until there is one, or it is too late. */
  async fetchCode(retries = RETRIES): Promise<void> {
    clearTimeout(this.#retry);
    const { passkeys, name, known, onCode } = this.#parts;
    const fetching = {};
    this.#fetching = fetching;
    const code = await passkeys?.confirmation(name()).catch((error: unknown) => {
      if (!(error instanceof RemoteError)) throw error;
    });
    if (known() !== 'confirm' || this.#fetching !== fetching) return;
    if (code !== undefined) onCode(code);
    else if (retries > 0) this.#retry = setTimeout(() => void this.fetchCode(retries - 1), RETRY);
  }

  /** Leaves no timer behind. */
  close(): void {
    clearTimeout(this.#retry);
    this.#fetching = undefined;
  }
}

/** How long a code to type is valid unless its server says so, and how long typing takes, in milliseconds. */
const LIFE = 160_000;
const TYPING = 30_000;

/** The code to type of a session. */
export class PairingCode {
  readonly #tell: (pairing: Pairing | undefined) => void;
  #pairing: Pairing | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param tell called with each code, and with undefined when it expires */
  constructor(tell: (pairing: Pairing | undefined) => void) {
    this.#tell = tell;
  }

  /** The code, if enough time is left to type it. */
  get usable(): Pairing | undefined {
    const { expires = 0 } = this.#pairing ?? {};
    return expires - Date.now() >= TYPING ? this.#pairing : undefined;
  }

  begin({ code, expires = Date.now() + LIFE }: Code): Pairing {
    this.end();
    const pairing = { code, expires };
    this.#pairing = pairing;
    this.#timer = setTimeout(() => this.end(), expires - Date.now());
    this.#tell(pairing);
    return pairing;
  }

  end(): void {
    this.close();
    if (this.#pairing) this.#tell(undefined);
    this.#pairing = undefined;
  }

  /** Leaves no timer behind. */
  close(): void {
    clearTimeout(this.#timer);
  }
}

/** What a session was reported to show beside its state. */
export class Signs {
  readonly #report: (sign: Sign) => void;
  #signalledAt = Number.NEGATIVE_INFINITY;
  #limit: Limit | undefined;
  #quota: WireQuota | undefined;

  constructor(report: (sign: Sign) => void) {
    this.#report = report;
  }

  /** WhatsApp has sent something. */
  signal(): void {
    const now = performance.now();
    if (now - this.#signalledAt < SIGNAL_EVERY) return;
    this.#signalledAt = now;
    this.#report({ type: 'signal' });
  }

  /**
   * Reports what WhatsApp allows a connected account, if that has changed.
   *
   * @param isNew whether the session has just connected: what it was allowed before is reported again
   */
  note({ limit = this.#limit, quota = this.#quota }: Account, isNew: boolean): void {
    if (isNews(limit, this.#limit, isNew)) {
      this.#limit = limit ?? undefined;
      this.#report({ type: 'limited', limit: this.#limit });
    }
    if (isNews(quota, this.#quota, isNew)) {
      this.#quota = quota ?? undefined;
      this.#report({ type: 'quota', quota: this.#quota });
    }
  }
}

function isNews(told: object | null | undefined, before: object | undefined, isNew: boolean): boolean {
  return (isNew && Boolean(told)) || !isDeepStrictEqual(told ?? undefined, before);
}

/** The statuses of a session's messages, which its server may report before their ids. */
export class Receipts {
  readonly #acks = new Acks();
  readonly #early = new Map<string, Ack>();
  #sending = 0;

  /** Sends a message, and follows it: `acked` is called after the outcome. */
  async follow(send: () => Promise<Sent>, acked: (ack: Ack) => void): Promise<Sent> {
    this.#sending += 1;
    try {
      const sent = await send();
      if (typeof sent !== 'string' && sent.id !== undefined) this.#begin(sent.id, acked);
      return sent;
    } finally {
      this.#sending -= 1;
      if (this.#sending === 0) this.#early.clear();
    }
  }

  note(id: string, ack: Ack): void {
    if (this.#sending > 0) this.#early.set(id, ack);
    this.#acks.note(id, ack);
  }

  #begin(id: string, acked: (ack: Ack) => void): void {
    const message = new AckedMessage(acked);
    this.#acks.follow(id, message);
    const early = this.#early.get(id);
    if (early !== undefined) message.note(early);
    // After the outcome.
    setImmediate(() => message.tell());
  }
}
