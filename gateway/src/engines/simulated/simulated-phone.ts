import type { Clock } from './clock.ts';
import { endsLink, type PhoneFault } from './faults.ts';
import { PhoneSession } from './session.ts';

/** One simulated phone, with the actions of its owner. What makes no sense now is refused. */
export class SimulatedPhone {
  readonly numero: string;
  readonly session: PhoneSession;
  readonly #changed: (phone: SimulatedPhone) => void;
  readonly #inbox = new Inbox();
  /** Messages that WhatsApp keeps until the phone is online again. */
  #held = new Inbox();

  constructor(numero: string, clock: Clock, changed: (phone: SimulatedPhone) => void) {
    this.numero = numero;
    this.#changed = changed;
    this.session = new PhoneSession(numero, clock, () => changed(this));
  }

  get record(): PhoneRecord {
    const { linked, online, state, code, fault, stalled, reported } = this.session;
    const { messages } = this.#inbox;
    return { numero: this.numero, linked, online, state, code, fault, stalled, reported, messages };
  }

  /** Scans a code. Refused unless it is the one that is valid now. */
  scan(scanned: string): void {
    const { linked, online, code } = this.session;
    if (linked) this.#refuse('already-linked');
    if (!online) this.#refuse('no-line');
    if (scanned !== code) {
      if (this.session.hasShown(scanned)) this.#refuse('expired-code');
      this.#refuse(code === null ? 'no-code' : 'foreign-code');
    }
    this.session.link();
  }

  /** Ends the session from the phone's list of linked devices. */
  unlink(): void {
    if (!this.session.linked) this.#refuse('not-linked');
    if (this.session.state === 'closing') this.#refuse('closing');
    this.session.unlink({ type: 'disconnected' });
  }

  loseLine(): void {
    if (!this.session.online) this.#refuse('no-line');
    if (this.session.state !== 'connected') this.#refuse('not-connected');
    this.session.setLine(false);
  }

  recoverLine(): void {
    if (this.session.online) this.#refuse('has-line');
    for (const message of this.#held.messages) this.#inbox.add({ ...message, at: Date.now() });
    this.#held = new Inbox();
    this.session.setLine(true);
  }

  /** Makes WhatsApp report a state of the session, until the session changes. */
  report(state: string): void {
    if (this.session.state === 'closing') this.#refuse('closing');
    if (!this.session.isHeard) this.#refuse('no-session');
    if (state === 'CONNECTED' && this.session.state !== 'connected') this.#refuse('not-connected');
    if (endsLink(state)) this.session.unlink({ type: 'state', state });
    else this.session.tell({ type: 'state', state });
  }

  receive(message: PhoneMessage): void {
    const inbox = this.session.online ? this.#inbox : this.#held;
    inbox.add(message);
    this.#changed(this);
  }

  #refuse(reason: PhoneRefusal): never {
    throw new PhoneRefused(reason, this.numero);
  }
}

/** How many messages a phone keeps. */
const KEPT = 50;

export interface PhoneMessage {
  text: string;
  /** The numero of the session that sent it. */
  from: string;
  /** When it arrived, in milliseconds since 1970. */
  at: number;
}

/** The last messages that a phone received. */
export class Inbox {
  readonly #messages: PhoneMessage[] = [];

  /** Oldest first. */
  get messages(): PhoneMessage[] {
    return [...this.#messages];
  }

  add(message: PhoneMessage): void {
    this.#messages.push(message);
    if (this.#messages.length > KEPT) this.#messages.shift();
  }
}

/**
 * The state of a phone's session: `off` (none), `starting`, `code` (one is shown), `linking` (scanned, not ready yet),
 * `connected`, `closing` (a slow deletion).
 */
export type PhoneState = 'off' | 'starting' | 'code' | 'linking' | 'connected' | 'closing';

/** The public state of one phone. */
export interface PhoneRecord {
  numero: string;
  /** Whether it is linked to the gateway; a linked phone needs no code. */
  linked: boolean;
  /** Whether it is online. */
  online: boolean;
  state: PhoneState;
  /** The QR text that it can scan now. */
  code: string | null;
  fault: PhoneFault | null;
  /** Whether its next step is held, until the session is started again or the fault is removed. */
  stalled: boolean;
  /** What WhatsApp reports of the session instead of being connected, such as `OPENING`. */
  reported: string | null;
  /** The last 50, oldest first. */
  messages: PhoneMessage[];
}

/** Why a phone refuses an action. */
export type PhoneRefusal =
  | 'unknown-phone'
  | 'no-code'
  | 'expired-code'
  | 'foreign-code'
  | 'already-linked'
  | 'not-linked'
  | 'not-connected'
  | 'no-line'
  | 'has-line'
  | 'no-session'
  | 'closing';

/** Thrown when a phone refuses an action; nothing has changed. */
export class PhoneRefused extends Error {
  override readonly name = 'PhoneRefused';
  readonly reason: PhoneRefusal;
  readonly numero: string;

  constructor(reason: PhoneRefusal, numero: string) {
    super(`${reason}: ${numero}`);
    this.reason = reason;
    this.numero = numero;
  }
}
