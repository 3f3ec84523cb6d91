import type { EngineEvent, Report } from '../engine.ts';
import { StartRefused } from '../errors.ts';
import type { Clock } from './clock.ts';
import { CODE_LIVES, createCode } from './codes.ts';
import { type PhoneFault, SLOW_DELETE } from './faults.ts';
import { NextStep } from './next-step.ts';
import type { PhoneState } from './record.ts';
import type { Seed } from './seeds.ts';

/** From a start to the first code, in milliseconds; also what a linked phone takes to be ready again. */
const START_DELAY = 1_000;
/** From the scan to ready, in milliseconds. */
const LINK_DELAY = 1_500;

/** The session that WhatsApp keeps with one phone: what it goes through, in which rhythm, and what holds it up. */
export class PhoneSession {
  readonly #numero: string;
  readonly #changed: () => void;
  readonly #next: NextStep;
  #linked = false;
  #online = true;
  #state: PhoneState = 'off';
  #reported: string | null = null;
  /** The codes of this start; the last one can be scanned while the state is `code`, and until it is stale. */
  #codes: string[] = [];
  #report: Report | undefined;

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

  /** Setting it sets free what the one before held up. */
  get fault(): PhoneFault | null {
    return this.#next.fault;
  }

  set fault(fault: PhoneFault | null) {
    this.#next.setFault(fault);
    this.#changed();
  }

  /** Whether somebody hears of it: not where there is no session, or its start was refused. */
  get isHeard(): boolean {
    return this.#report !== undefined;
  }

  /** Whether this start has shown the code, be it still valid or not. */
  hasShown(code: string): boolean {
    return this.#codes.includes(code);
  }

  /** Starts, or starts over. Throws {@link StartRefused} when that is the fault. */
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

  /** Comes to where a session of some age would be, as the engine finds it when it begins. */
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

  /** A code was scanned. */
  link(): void {
    this.#linked = true;
    this.#become('linking', { type: 'authenticated' });
    this.#next.after(LINK_DELAY, this.#becomeReady, 'stuck');
  }

  /** The phone does not know it any more: it is over, and the next start needs a code. */
  unlink(event: EngineEvent): void {
    this.#linked = false;
    this.#become('off', event);
  }

  setLine(online: boolean): void {
    this.#online = online;
    if (this.#state === 'connected') this.tell({ type: 'state', state: online ? 'CONNECTED' : 'OPENING' });
    else this.#changed();
    // A linked phone waits for its line with the start; any other does what it would do without one.
    if (online && this.#linked && this.#state === 'starting') {
      this.#next.after(START_DELAY, this.#begin, 'no-code');
    }
  }

  /** Has WhatsApp report a state. A code that is up cannot be scanned after it: the gateway takes it off the panels. */
  tell(event: Extract<EngineEvent, { type: 'state' }>): void {
    if (this.#state === 'code') this.#become('off', event);
    else this.#say(event);
  }

  /** Ends for good. Resolves when it is over: at once, unless a slow deletion is the fault. */
  async end(): Promise<void> {
    if (this.fault === 'slow-delete') {
      this.#become('closing');
      await new Promise<void>((resolve) => this.#next.hold('slow-delete', resolve, SLOW_DELETE));
    }
    this.stop();
  }

  /** Ends all that is under way, saying nothing. */
  stop(): void {
    this.#next.cancel();
    this.#report = undefined;
    this.#state = 'off';
  }

  /** What a start comes to once it is under way. */
  readonly #begin = (): void => {
    if (!this.#linked) this.#showCode();
    // A linked phone without a line stays at starting until it gets it back.
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

  /** Ends what was to come, takes the new state, and tells both sides of it. */
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
