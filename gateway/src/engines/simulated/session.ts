import type { EngineEvent, Report } from '../../sessions/engine.ts';
import { StartRefused } from '../../sessions/errors.ts';
import type { Clock } from './clock.ts';
import { CODE_LIVES, createCode } from './codes.ts';
import { type PhoneFault, SLOW_DELETE } from './faults.ts';
import { NextStep } from './next-step.ts';
import type { Seed } from './seeds.ts';
import type { PhoneState } from './simulated-phone.ts';

/** From a start to the first code, in milliseconds; also until a linked phone is ready again. */
const START_DELAY = 1_000;
/** From the scan to ready, in milliseconds. */
const LINK_DELAY = 1_500;

/** WhatsApp's session with one simulated phone: its states, their timing, and what holds them. */
export class PhoneSession {
  readonly #numero: string;
  readonly #changed: () => void;
  readonly #next: NextStep;
  #linked = false;
  #online = true;
  #state: PhoneState = 'off';
  #reported: string | null = null;
  /** The codes of this start; the last one can be scanned while the state is `code` and the step is not held. */
  #codes: string[] = [];
  #report: Report | undefined;
  /** Ends the wait of a slow deletion. */
  #cutDeletion = () => {};

  constructor(numero: string, clock: Clock, changed: () => void) {
    this.#numero = numero;
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

  get reported(): string | null {
    return this.#reported;
  }

  get stalled(): boolean {
    return this.#next.isHeld;
  }

  /** Setting it releases the step that the previous fault held. */
  get fault(): PhoneFault | null {
    return this.#next.fault;
  }

  set fault(fault: PhoneFault | null) {
    this.#next.setFault(fault);
    this.#changed();
  }

  /** Whether its events are reported: not without a session, or after a refused start. */
  get isHeard(): boolean {
    return this.#report !== undefined;
  }

  /** Whether this start has shown the code, valid or not. */
  hasShown(code: string): boolean {
    return this.#codes.includes(code);
  }

  /** Starts or restarts. Throws {@link StartRefused} if that is the fault. */
  start(report: Report): void {
    if (this.fault === 'refuses') {
      this.#report = undefined;
      this.#become('off');
      throw new StartRefused(this.#numero);
    }
    this.#report = report;
    this.#codes = [];
    this.#become('starting');
    this.#next.after(START_DELAY, this.#begin, 'no-code');
  }

  /** Enters the state of a session that the engine finds at its start. */
  resume(report: Report, { state, codeAge, fault }: Seed): void {
    this.#report = report;
    this.#next.setFault(fault ?? null);
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
        this.#next.hold('no-code', this.#begin);
        break;
      case 'linking':
        this.#showCode();
        this.#linked = true;
        this.#stick();
    }
  }

  /** Makes the phone one that was linked before: it connects without a code. */
  restoreLink(): void {
    this.#linked = true;
  }

  /** Links the phone, whose scan was accepted. */
  link(): void {
    this.#linked = true;
    this.#become('linking', { type: 'authenticated' });
    this.#next.after(LINK_DELAY, this.#becomeReady, 'stuck');
  }

  /** Ends the session, unlinked: the next start needs a code. */
  unlink(event: EngineEvent): void {
    this.#linked = false;
    this.#become('off', event);
  }

  setLine(online: boolean): void {
    this.#online = online;
    if (this.#state === 'connected') this.tell({ type: 'state', state: online ? 'CONNECTED' : 'OPENING' });
    else this.#changed();
    // A linked phone needs its line to start; one that is not linked goes on without.
    if (online && this.#linked && this.#state === 'starting') {
      this.#next.after(START_DELAY, this.#begin, 'no-code');
    }
  }

  /**
   * Makes WhatsApp report a state. A code that is shown is void after it, and the gateway removes it from the panels.
   */
  tell(event: Extract<EngineEvent, { type: 'state' }>): void {
    if (this.#state === 'code') this.#become('off', event);
    else this.#say(event);
  }

  /** Ends for good. Resolves when it is over: at once, unless a slow deletion is the fault. */
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
    this.#cutDeletion();
  }

  /** Ends everything without a report. */
  stop(): void {
    this.#next.cancel();
    this.#report = undefined;
    this.#state = 'off';
  }

  /** Takes the first step of a start. */
  readonly #begin = (): void => {
    if (!this.#linked) this.#showCode();
    // A linked phone that is offline stays at `starting` until it is back.
    else if (!this.#online) this.#say({ type: 'state', state: 'OPENING' });
    else if (this.fault === 'stuck') this.#stick();
    else this.#becomeReady();
  };

  #showCode(age = 0): void {
    const life = CODE_LIVES[this.#codes.length];
    if (life === undefined) {
      this.#become('off', { type: 'qr_timeout' });
      return;
    }
    const code = createCode();
    this.#codes.push(code);
    this.#become('code', { type: 'qr', code });
    this.#next.after(life - age, () => this.#showCode(), 'stale-code');
  }

  #stick(): void {
    this.#become('linking', { type: 'authenticated' });
    this.#next.hold('stuck', this.#becomeReady);
  }

  readonly #becomeReady = (): void => this.#become('connected', { type: 'ready' });

  /** Cancels the next step, enters a state, and notifies both sides. */
  #become(state: PhoneState, event?: EngineEvent): void {
    this.#next.cancel();
    this.#state = state;
    this.#say(event);
  }

  #say(event?: EngineEvent): void {
    this.#reported = event?.type === 'state' && event.state !== 'CONNECTED' ? event.state : null;
    if (event) this.#report?.(event);
    this.#changed();
  }
}
