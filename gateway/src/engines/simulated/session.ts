import { type EngineEvent, type Pairing, type Report, SIGNAL_EVERY } from '../../sessions/engine.ts';
import { NotPairable, StartRefused } from '../../sessions/errors.ts';
import { beginTerm, type Clock, type Term } from './clock.ts';
import { CODE_LIVES, createCode, createPairingCode } from './codes.ts';
import { BAN } from './endings.ts';
import { type PhoneFault, RESTRICTION, SLOW_DELETE, USED_UP } from './faults.ts';
import { NextStep } from './next-step.ts';
import type { PhoneRecord, PhoneState } from './record.ts';
import type { Seed } from './seeds.ts';
import { accountName } from './seeds.ts';

/** From a start to the first code, in milliseconds; also until a linked phone is ready again. */
const START_DELAY = 1_000;
/** From the scan to ready, in milliseconds. */
const LINK_DELAY = 1_500;
/** How long a new pairing code lives at least, in milliseconds, and how long one that is given again. */
const PAIRING_LIFE = 120_000;
const TYPING_TIME = 60_000;

/** WhatsApp's session with one simulated phone: its states, their timing, and what holds them. */
export class PhoneSession {
  readonly #numero: string;
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #next: NextStep;
  #linked = false;
  #online = true;
  #state: PhoneState = 'off';
  #reported: string | null = null;
  /** The codes of this start; the last one can be scanned while the state is `code` and the step is not held. */
  #codes: string[] = [];
  /** How many of {@link CODE_LIVES} have begun. */
  #begun = 0;
  /** When the last of them expires, in milliseconds since 1970. */
  #codesEnd = 0;
  #pairing: Pairing | undefined;
  /** The codes of this start to type, valid or not. */
  #pairingCodes: string[] = [];
  #ban: Term | undefined;
  #restriction: Term | undefined;
  /** When the last signal was reported, in milliseconds since 1970. */
  #signalled = 0;
  #report: Report | undefined;
  /** Ends the wait of a slow deletion. */
  #cutDeletion: (() => void) | undefined;

  constructor(numero: string, clock: Clock, changed: () => void) {
    this.#numero = numero;
    this.#clock = clock;
    this.#changed = changed;
    this.#next = new NextStep(clock, changed);
  }

  get linked(): boolean {
    return this.#linked;
  }

  get online(): boolean {
    return this.#online;
  }

  get state(): PhoneState {
    return this.#state;
  }

  get code(): string | null {
    return (this.#state === 'code' && !this.#next.isHeld && this.#codes.at(-1)) || null;
  }

  /** The code that can be typed now. */
  get pairingCode(): string | undefined {
    const { code, expires = 0 } = this.#pairing ?? {};
    return this.code !== null && expires > this.#clock.at(0) ? code : undefined;
  }

  /** What the phone's record has of it. */
  get facts(): Omit<PhoneRecord, 'numero' | 'passkey' | 'messages'> {
    return {
      linked: this.#linked,
      online: this.#online,
      state: this.#state,
      code: this.code,
      fault: this.fault,
      stalled: this.#next.isHeld,
      reported: this.#reported,
      bannedUntil: this.#ban?.until ?? null,
      restrictedUntil: this.#restriction?.until ?? null,
    };
  }

  /** Setting it releases the step that the previous fault held. */
  get fault(): PhoneFault | null {
    return this.#next.fault;
  }

  set fault(fault: PhoneFault | null) {
    const wasZombie = this.fault === 'zombie';
    this.#setFault(fault);
    if (wasZombie) this.signal();
    if (fault === 'dead-keys' && this.#state === 'connected') this.#reconnect();
    this.#changed();
  }

  /** Whether it is connected, and WhatsApp answers it. */
  get isAnswered(): boolean {
    return this.#state === 'connected' && this.#online && this.fault !== 'zombie';
  }

  /** Whether its events are reported: not without a session, or after a refused start. */
  get isHeard(): boolean {
    return this.#report !== undefined;
  }

  /** Whether this start has shown the code, valid or not. */
  hasShown(code: string): boolean {
    return this.#codes.includes(code);
  }

  /** Whether this start has given the code to be typed, valid or not. */
  hasGiven(code: string): boolean {
    return this.#pairingCodes.includes(code);
  }

  /**
   * Returns the code to type, or a new one; with new codes to scan if those of this start end too soon. Throws
   * {@link NotPairable} if no code is shown.
   */
  pair(): Pairing {
    if (this.#state !== 'code') throw new NotPairable('not-waiting');
    if (this.#next.isHeld) throw new NotPairable('no-answer');
    if (this.#pairing && this.#pairing.expires >= this.#clock.at(TYPING_TIME)) return this.#pairing;
    if (this.#codesEnd < this.#clock.at(PAIRING_LIFE)) {
      this.#begun = 0;
      this.#showCode();
    }
    const pairing = { code: createPairingCode(), expires: this.#codesEnd };
    this.#pairing = pairing;
    this.#pairingCodes.push(pairing.code);
    this.#report?.({ type: 'pairing', pairing });
    return pairing;
  }

  /** Starts or restarts. Throws {@link StartRefused} if that is the fault. */
  start(report: Report): void {
    this.#endPairing();
    if (this.fault === 'refuses') {
      this.#report = undefined;
      this.#become('off');
      throw new StartRefused(this.#numero);
    }
    if (this.fault === 'dead-keys') this.#linked = false;
    if (this.fault === 'dead-keys' || this.fault === 'zombie') {
      this.#next.cancel();
      this.#next.setFault(null);
    }
    this.#report = report;
    this.#codes = [];
    this.#begun = 0;
    this.#pairingCodes = [];
    this.#become('starting');
    this.#next.after(START_DELAY, () => this.#begin(), 'no-code');
  }

  /** Enters the state of a session that the engine finds at its start. */
  resume(report: Report, { state, codeAge, fault }: Seed): void {
    this.#report = report;
    this.#setFault(fault ?? null);
    switch (state) {
      case 'connected':
        this.#linked = true;
        this.#becomeReady();
        break;
      case 'qr':
        this.#showCode(codeAge);
        break;
      case 'disconnected':
        this.#become('off', { type: 'disconnected' });
        break;
      case 'waiting':
        this.#become('starting');
        this.#next.hold('no-code', () => this.#begin());
        break;
      case 'linking':
        this.#showCode();
        this.#linked = true;
        this.#stick();
    }
  }

  /** Marks the phone as linked before: it connects without a code. */
  restoreLink(): void {
    this.#linked = true;
  }

  /** Waits, after the scan, at a step of the account's passkey. */
  askPasskey(event: Extract<EngineEvent, { type: 'passkey' }>): void {
    this.#become('linking', event);
  }

  /** Links the phone, whose code was accepted. */
  link(): void {
    this.#linked = true;
    this.#become('linking', { type: 'authenticated' });
    this.#next.after(LINK_DELAY, () => this.#logIn(), 'stuck');
  }

  /** Ends the session, unlinked: the next start needs a code. */
  unlink(event: EngineEvent): void {
    this.#linked = false;
    this.#liftBan();
    this.#become('off', event);
  }

  /** Ends the session for a reason that leaves its link as it is. */
  close(event: EngineEvent): void {
    this.#become('off', event);
  }

  /** Makes the session wait for {@link BAN}; a start does not end that. */
  ban(): void {
    this.#liftBan();
    this.#ban = beginTerm(this.#clock, BAN, () => {
      this.#liftBan();
      this.#goOn();
    });
    this.#become('starting');
    this.#begin();
  }

  /** Reports that WhatsApp has answered, if it does: at most once in {@link SIGNAL_EVERY}. */
  signal(): void {
    const now = this.#clock.at(0);
    if (!this.isAnswered || now < this.#signalled + SIGNAL_EVERY) return;
    this.#signalled = now;
    this.#report?.({ type: 'signal' });
  }

  setOnline(online: boolean): void {
    this.#online = online;
    if (this.#state === 'connected') this.tell({ type: 'state', state: online ? 'CONNECTED' : 'OPENING' });
    else this.#changed();
    if (online) this.#goOn();
  }

  /**
   * Makes WhatsApp report a state. A code that is shown is void after it, and the gateway removes it from the panels.
   */
  tell(event: Extract<EngineEvent, { type: 'state' }>): void {
    if (this.#state === 'code') this.#become('off', event);
    else this.#say(event);
  }

  /** Ends for good. Resolves when it has ended: at once, unless the fault is a slow deletion. */
  async end(): Promise<void> {
    if (this.fault === 'slow-delete') {
      this.#become('closing');
      await new Promise<void>((resolve) => {
        this.#cutDeletion = resolve;
        this.#next.hold('slow-delete', resolve, SLOW_DELETE);
      });
    }
    this.stop();
  }

  /** Ends everything without a report, and a slow deletion at once. */
  release(): void {
    this.stop();
    this.#cutDeletion?.();
  }

  /** Ends everything without a report. */
  stop(): void {
    this.#report = undefined;
    this.#next.cancel();
    this.#liftBan();
    this.#liftRestriction();
    this.#pairing = undefined;
    this.#state = 'off';
  }

  /** Takes the first step of a start. */
  #begin(): void {
    if (!this.#linked) this.#showCode();
    // A linked phone that is offline stays at `starting` until it is back.
    else if (!this.#online) this.#say({ type: 'state', state: 'OPENING' });
    // A banned phone does not continue until the ban ends.
    else if (this.#ban) this.#say({ type: 'delayed', reason: 'banned', until: this.#ban.until });
    else if (this.fault === 'stuck') this.#stick();
    else this.#logIn();
  }

  #logIn(): void {
    if (this.fault === 'dead-keys') {
      this.#next.hold('dead-keys', () => this.#logIn());
      this.#say({ type: 'delayed', reason: 'dead-keys' });
    } else this.#becomeReady();
  }

  #reconnect(): void {
    this.#become('starting', { type: 'state', state: 'OPENING' });
    this.#goOn();
  }

  /** Restarts a linked phone that was held at `starting`; an unlinked one continues. */
  #goOn(): void {
    if (!this.#linked || this.#state !== 'starting') return;
    this.#next.after(START_DELAY, () => this.#begin(), 'no-code');
  }

  #liftBan(): void {
    this.#ban?.cancel();
    this.#ban = undefined;
  }

  #setFault(fault: PhoneFault | null): void {
    if (fault !== 'restricted') this.#liftRestriction();
    this.#next.setFault(fault);
    if (fault === 'restricted') this.#restrict();
  }

  #restrict(): void {
    this.#restriction ??= beginTerm(this.#clock, RESTRICTION, () => {
      this.fault = null;
    });
    if (this.#state === 'connected') this.#tellRestriction();
  }

  #liftRestriction(): void {
    if (!this.#restriction) return;
    this.#restriction.cancel();
    this.#restriction = undefined;
    this.#tellRestriction();
  }

  #tellRestriction(): void {
    const limit = this.#restriction && { until: this.#restriction.until };
    this.#report?.({ type: 'limited', limit });
    this.#report?.({ type: 'quota', quota: limit && USED_UP });
  }

  #endPairing(): void {
    if (!this.#pairing) return;
    this.#pairing = undefined;
    this.#report?.({ type: 'pairing', pairing: undefined });
  }

  #showCode(age = 0): void {
    // Held codes live longer than announced.
    if (this.#pairing && this.#pairing.expires <= this.#clock.at(0)) this.#endPairing();
    const lives = CODE_LIVES.slice(this.#begun);
    const [life] = lives;
    if (life === undefined) {
      const isOutdated = this.fault === 'outdated';
      this.#become('off', { type: 'qr_timeout', ...(isOutdated && { reason: 'outdated' }) });
      return;
    }
    this.#begun += 1;
    this.#codesEnd = this.#clock.at(lives.reduce((sum, each) => sum + each, -age));
    const code = createCode();
    this.#codes.push(code);
    this.#become('code', { type: 'qr', code, expires: this.#clock.at(life - age) });
    this.#next.after(life - age, () => this.#showCode(), 'stale-code');
  }

  #stick(): void {
    this.#become('linking', { type: 'authenticated' });
    this.#next.hold('stuck', () => this.#logIn());
  }

  #becomeReady(): void {
    this.#become('connected', { type: 'ready' });
    this.#report?.({ type: 'name', name: accountName(this.#numero) });
    if (this.#restriction) this.#tellRestriction();
  }

  /** Cancels the next step, enters a state, and notifies both sides. */
  #become(state: PhoneState, event?: EngineEvent): void {
    this.#next.cancel();
    if (state !== 'code') this.#endPairing();
    this.#state = state;
    this.#say(event);
  }

  #say(event?: EngineEvent): void {
    this.#reported = event?.type === 'state' && event.state !== 'CONNECTED' ? event.state : null;
    if (event) this.#report?.(event);
    this.#changed();
  }
}
