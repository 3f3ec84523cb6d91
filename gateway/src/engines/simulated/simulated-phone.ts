import { digitsOf } from '../../numbers.ts';
import type { Ack, EngineEvent, PasskeyStep } from '../../sessions/engine.ts';
import { NoPasskeyStep } from '../../sessions/errors.ts';
import type { Clock } from './clock.ts';
import { createConfirmation, PROVEN } from './codes.ts';
import { type Ending, otherNumero } from './endings.ts';
import { endsLink } from './faults.ts';
import type { PhoneMessage, PhoneRecord } from './record.ts';
import { type PhoneRefusal, PhoneRefused } from './refusals.ts';
import { PhoneSession } from './session.ts';

/** How many messages a phone keeps. */
const KEPT = 50;

/** A message on its way to a phone. */
interface SentMessage extends Omit<PhoneMessage, 'read'> {
  readonly acked: (ack: Ack) => void;
}

/** One simulated phone, with the actions of its owner. It refuses actions that are impossible now. */
export class SimulatedPhone {
  readonly numero: string;
  readonly session: PhoneSession;
  readonly #changed: (phone: SimulatedPhone) => void;
  /** The last ones that arrived, oldest first. */
  readonly #inbox: (SentMessage & { read: boolean })[] = [];
  /** The step of its account's passkey that was asked for last. */
  #step: PasskeyStep | undefined;
  /** Until when its passkey links it without a code to compare. */
  #provenUntil = 0;
  readonly #clock: Clock;
  /** Messages that WhatsApp keeps until the phone is online again. */
  readonly #held: SentMessage[] = [];

  constructor(numero: string, clock: Clock, changed: (phone: SimulatedPhone) => void) {
    this.numero = numero;
    this.#clock = clock;
    this.#changed = changed;
    this.session = new PhoneSession(numero, clock, () => changed(this));
  }

  get record(): PhoneRecord {
    const { numero, passkey: asked } = this;
    const passkey = asked ? { step: asked.step, code: asked.step === 'confirm' ? asked.code : null } : null;
    const messages = this.#inbox.map(({ text, from, at, read }) => ({ text, from, at, read }));
    return { numero, ...this.session.facts, passkey, messages };
  }

  /** Scans a code. Refused unless it is the one that is valid now. */
  scan(scanned: string): void {
    this.#checkLinkable();
    const { code } = this.session;
    if (scanned !== code) {
      if (this.session.hasShown(scanned)) this.#refuse('expired-code');
      this.#refuse(code === null ? 'no-code' : 'foreign-code');
    }
    this.#link();
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
    this.#link();
  }

  /** The step of its account's passkey at which the session waits. */
  get passkey(): PasskeyStep | undefined {
    const { state, linked } = this.session;
    return state === 'linking' && !linked ? this.#step : undefined;
  }

  /** Scans the code, with an account that requires a passkey; at its first step, confirms with it. */
  usePasskey(): void {
    if (this.passkey?.step === 'sign') this.goOn('sign');
    else {
      this.#checkLinkable();
      this.#checkScannable();
      this.#provenUntil = this.#clock.at(PROVEN);
      this.#ask({ step: 'sign' });
    }
  }

  /** Goes on with a step of the passkey. Throws {@link NoPasskeyStep} if the session does not wait at it. */
  goOn(step: PasskeyStep['step']): void {
    if (this.passkey?.step !== step) throw new NoPasskeyStep();
    const isProven = this.#clock.at(0) < this.#provenUntil;
    if (step === 'sign' && !isProven) this.#ask({ step: 'confirm', code: createConfirmation() });
    else {
      this.#ask({ step: 'wait' });
      this.session.link();
    }
  }

  /** Ends the session, or makes it wait, for this reason. */
  logOut(reason: Ending = 'device-removed'): void {
    const { session } = this;
    if (session.state === 'closing') this.#refuse('closing');
    switch (reason) {
      case 'device-removed':
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
    this.session.setOnline(false);
  }

  recoverLine(): void {
    if (this.session.online) this.#refuse('has-line');
    for (const message of this.#held.splice(0)) this.#arrive({ ...message, at: Date.now() });
    this.session.setOnline(true);
  }

  /** Makes WhatsApp report a state of the session, until the session changes. */
  report(state: string): void {
    if (this.session.state === 'closing') this.#refuse('closing');
    if (!this.session.isHeard) this.#refuse('no-session');
    if (state === 'CONNECTED') this.#checkConnected();
    if (endsLink(state)) this.session.unlink({ type: 'state', state });
    else this.session.tell({ type: 'state', state });
  }

  /** Whether it keeps a message from the numero with these digits. */
  hasMessageFrom(digits: string): boolean {
    return [...this.#inbox, ...this.#held].some(({ from }) => digitsOf(from) === digits);
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
    const unread = this.#inbox.filter(({ read }) => !read);
    if (unread.length === 0) this.#refuse('nothing-unread');
    for (const message of unread) {
      message.read = true;
      message.acked('read');
    }
    this.#changed(this);
  }

  #arrive(message: SentMessage): void {
    keep(this.#inbox, { ...message, read: false });
    message.acked('device');
  }

  #unlink(event: EngineEvent): void {
    if (!this.session.linked) this.#refuse('not-linked');
    this.session.unlink(event);
  }

  #ask(passkey: PasskeyStep): void {
    this.#step = passkey;
    this.session.askPasskey({ type: 'passkey', passkey });
  }

  #link(): void {
    if (this.session.fault === 'outdated') this.#refuse('outdated');
    this.session.link();
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

function keep<T>(messages: T[], message: T): void {
  messages.push(message);
  if (messages.length > KEPT) messages.shift();
}
