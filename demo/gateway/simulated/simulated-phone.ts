import type { Clock } from './clock.ts';
import { Inbox, type PhoneMessage } from './inbox.ts';
import type { PhoneRecord } from './record.ts';
import { type PhoneRefusal, PhoneRefused } from './refusal.ts';
import { endsLink } from './reported-states.ts';
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
