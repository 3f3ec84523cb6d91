import type { Ack, EngineEvent } from '../../sessions/engine.ts';
import type { Clock } from './clock.ts';
import { type Ending, otherNumero } from './endings.ts';
import { endsLink, type PhoneFault } from './faults.ts';
import { PhoneSession } from './session.ts';

/** One simulated phone, with the actions of its owner. It refuses actions that are impossible now. */
export class SimulatedPhone {
  readonly numero: string;
  readonly session: PhoneSession;
  readonly #changed: (phone: SimulatedPhone) => void;
  readonly #inbox = new Inbox();
  /** Messages that WhatsApp keeps until the phone is online again. */
  readonly #held: SentMessage[] = [];

  constructor(numero: string, clock: Clock, changed: (phone: SimulatedPhone) => void) {
    this.numero = numero;
    this.#changed = changed;
    this.session = new PhoneSession(numero, clock, () => changed(this));
  }

  get record(): PhoneRecord {
    const { linked, online, state, code, fault, stalled, reported, bannedUntil } = this.session;
    const { messages } = this.#inbox;
    return {
      numero: this.numero,
      linked,
      online,
      state,
      code,
      fault,
      stalled,
      reported,
      bannedUntil,
      messages,
    };
  }

  /** Scans a code. Refused unless it is the one that is valid now. */
  scan(scanned: string): void {
    this.#checkLinkable();
    const { code } = this.session;
    if (scanned !== code) {
      if (this.session.hasShown(scanned)) this.#refuse('expired-code');
      this.#refuse(code === null ? 'no-code' : 'foreign-code');
    }
    this.session.link();
  }

  /**
   * Types a code. Refused unless it is the one that the session has given, and that is valid now.
   *
   * @param isForeign whether it was given for another number
   */
  typeCode(code: string, isForeign: boolean): void {
    this.#checkLinkable();
    const { pairingCode } = this.session;
    if (code !== pairingCode) {
      if (this.session.hasGiven(code)) this.#refuse('expired-pairing');
      if (isForeign) this.#refuse('foreign-pairing');
      this.#refuse(pairingCode === undefined ? 'no-pairing' : 'wrong-pairing');
    }
    this.session.link();
  }

  /** Ends the session, or makes it wait, for this reason. */
  logOut(reason: Ending): void {
    const { session } = this;
    if (session.state === 'closing') this.#refuse('closing');
    switch (reason) {
      case 'logged-out':
        this.#unlink({ type: 'disconnected', reason });
        break;
      case 'restricted':
        this.#unlink({ type: 'stopped', reason });
        break;
      case 'replaced':
        this.#checkConnected();
        session.close({ type: 'stopped', reason });
        break;
      case 'banned':
        this.#checkConnected();
        session.ban();
        break;
      case 'passkey':
        this.#checkScannable();
        session.close({ type: 'stopped', reason });
        break;
      case 'other-number':
        this.#checkScannable();
        session.close({ type: 'stopped', reason, numero: otherNumero(this.numero) });
    }
  }

  loseLine(): void {
    if (!this.session.online) this.#refuse('no-line');
    this.#checkConnected();
    this.session.setLine(false);
  }

  recoverLine(): void {
    if (this.session.online) this.#refuse('has-line');
    for (const message of this.#held.splice(0)) this.#arrive({ ...message, at: Date.now() });
    this.session.setLine(true);
  }

  /** Makes WhatsApp report a state of the session, until the session changes. */
  report(state: string): void {
    if (this.session.state === 'closing') this.#refuse('closing');
    if (!this.session.isHeard) this.#refuse('no-session');
    if (state === 'CONNECTED') this.#checkConnected();
    if (endsLink(state)) this.session.unlink({ type: 'state', state });
    else this.session.tell({ type: 'state', state });
  }

  /** Acknowledges the message as soon as the phone is online, and when its owner reads it. */
  receive(message: SentMessage): void {
    if (this.session.online) this.#arrive(message);
    else keep(this.#held, message);
    this.#changed(this);
  }

  /** Reads every message. Refused if all are read. */
  read(): void {
    if (!this.session.online) this.#refuse('no-line');
    if (!this.#inbox.read()) this.#refuse('nothing-unread');
    this.#changed(this);
  }

  #arrive(message: SentMessage): void {
    this.#inbox.add(message);
    message.acked('device');
  }

  #unlink(event: EngineEvent): void {
    if (!this.session.linked) this.#refuse('not-linked');
    this.session.unlink(event);
  }

  #checkLinkable(): void {
    if (this.session.linked) this.#refuse('already-linked');
    if (!this.session.online) this.#refuse('no-line');
  }

  #checkScannable(): void {
    if (this.session.linked) this.#refuse('already-linked');
    if (this.session.code === null) this.#refuse('no-code');
  }

  #checkConnected(): void {
    if (this.session.state !== 'connected') this.#refuse('not-connected');
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
  /** Whether the phone's owner has read it. */
  read: boolean;
}

/** A message on its way to a phone. */
export interface SentMessage extends Omit<PhoneMessage, 'read'> {
  readonly acked: (ack: Ack) => void;
}

/** The last messages that a phone received. */
class Inbox {
  readonly #read: SentMessage[] = [];
  readonly #unread: SentMessage[] = [];

  /** Oldest first. */
  get messages(): PhoneMessage[] {
    return [
      ...this.#read.map(({ text, from, at }) => ({ text, from, at, read: true })),
      ...this.#unread.map(({ text, from, at }) => ({ text, from, at, read: false })),
    ].slice(-KEPT);
  }

  add(message: SentMessage): void {
    keep(this.#unread, message);
  }

  /** Reads every message, and returns whether there was any to read. */
  read(): boolean {
    const messages = this.#unread.splice(0);
    for (const message of messages) {
      keep(this.#read, message);
      message.acked('read');
    }
    return messages.length > 0;
  }
}

function keep(messages: SentMessage[], message: SentMessage): void {
  messages.push(message);
  if (messages.length > KEPT) messages.shift();
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
  /** When WhatsApp lets it connect again, in milliseconds since 1970; null if it is not banned. */
  bannedUntil: number | null;
  /** The last 50, oldest first. */
  messages: PhoneMessage[];
}

/** Why a phone refuses an action. */
export type PhoneRefusal =
  | 'unknown-phone'
  | 'no-code'
  | 'expired-code'
  | 'foreign-code'
  | 'no-pairing'
  | 'expired-pairing'
  | 'foreign-pairing'
  | 'wrong-pairing'
  | 'already-linked'
  | 'not-linked'
  | 'not-connected'
  | 'no-line'
  | 'has-line'
  | 'no-session'
  | 'nothing-unread'
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
