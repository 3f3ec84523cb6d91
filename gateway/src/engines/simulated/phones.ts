import type { Ack, Delivery, Engine, Pairing, Report } from '../../sessions/engine.ts';
import { NotLinked, NotPairable } from '../../sessions/errors.ts';
import type { Clock } from './clock.ts';
import { typedPairingCode } from './codes.ts';
import type { Ending } from './endings.ts';
import type { PhoneFault } from './faults.ts';
import type { PhoneRecord } from './record.ts';
import { PhoneRefused } from './refusals.ts';
import type { Seed } from './seeds.ts';
import { SimulatedPhone } from './simulated-phone.ts';

/** Longest phone number (E.164), in digits. */
const MAX_DIGITS = 15;
/** How many phones without a session are kept, for the messages that they received. */
const BYSTANDERS_KEPT = 100;

/** Observes the phones: receives a phone's record after each change, and the numero of a removed one. */
export interface PhonesWatcher {
  changed(phone: PhoneRecord): void;
  removed(numero: string): void;
}

/**
 * The simulated engine: every session has a phone, and every number of up to 15 digits uses WhatsApp. Besides the
 * methods of an engine it has those of the phones' owners, which throw {@link PhoneRefused} if the phone refuses.
 */
export class SimulatedPhones implements Engine {
  readonly #clock: Clock;
  readonly #seeds: readonly Seed[];
  readonly #phones = new Map<string, SimulatedPhone>();
  /** Numeros of the phones that never had a session, oldest first. */
  readonly #bystanders = new Set<string>();
  readonly #watchers = new Set<PhonesWatcher>();

  constructor(clock: Clock, seeds: readonly Seed[]) {
    this.#clock = clock;
    this.#seeds = seeds;
  }

  /** Returns every phone, oldest first. */
  list(): PhoneRecord[] {
    return [...this.#phones.values()].map((phone) => phone.record);
  }

  get(numero: string): PhoneRecord | undefined {
    return this.#phones.get(numero)?.record;
  }

  /** Scans a QR text; refused unless it is the one that this numero's session shows now. */
  scan(numero: string, code: string): void {
    this.#known(numero).scan(code);
  }

  /** Types a pairing code, in upper or lower case; refused unless it is the one that this numero's session gave. */
  typeCode(numero: string, typed: string): void {
    const phone = this.#known(numero);
    const code = typedPairingCode(typed);
    const isForeign = [...this.#phones.values()].some(({ session }) => session.hasGiven(code));
    phone.typeCode(code, isForeign);
  }

  /** Removes the gateway from the phone's linked devices, or ends the session for another reason. */
  logOut(numero: string, reason: Ending = 'logged-out'): void {
    this.#known(numero).logOut(reason);
  }

  /** Reads every message that the phone has received. */
  read(numero: string): void {
    this.#known(numero).read();
  }

  loseLine(numero: string): void {
    this.#known(numero).loseLine();
  }

  recoverLine(numero: string): void {
    this.#known(numero).recoverLine();
  }

  /** Gives the phone a fault in place of the previous one, or none. The fault ends with the session. */
  setFault(numero: string, fault: PhoneFault | null): void {
    this.#known(numero).session.fault = fault;
  }

  /** Makes WhatsApp report a state of the session: a known one, or any other. */
  report(numero: string, state: string): void {
    this.#known(numero).report(state);
  }

  /** Notifies `watcher` of every change from now on. */
  watch(watcher: PhonesWatcher): void {
    this.#watchers.add(watcher);
  }

  restore(resume: (numero: string) => Report): void {
    for (const seed of this.#seeds) {
      const phone = this.#sessionPhone(seed.numero);
      phone.session.resume(resume(seed.numero), seed);
      if (seed.reported !== undefined) phone.report(seed.reported);
    }
  }

  /** Phones that are linked connect within a second; the others are disconnected. */
  async resume(numeros: readonly string[], begin: (numero: string) => Report): Promise<void> {
    for (const numero of numeros) {
      const { session } = this.#sessionPhone(numero);
      const report = begin(numero);
      if (session.linked) session.start(report);
      else session.resume(report, { numero, state: 'disconnected' });
    }
  }

  /** Also forgets the phone, with its messages and its fault. */
  async release(numero: string): Promise<void> {
    const phone = this.#phones.get(numero);
    if (!phone) return;
    phone.session.release();
    this.#forget(numero);
  }

  /** Links the phone of a numero, which may be new, as if a session had linked it before. */
  restoreLink(numero: string): void {
    this.#sessionPhone(numero).session.restoreLink();
  }

  async start(numero: string, report: Report): Promise<void> {
    this.#sessionPhone(numero).session.start(report);
  }

  async remove(numero: string): Promise<void> {
    const phone = this.#phones.get(numero);
    if (!phone) return;
    await phone.session.end();
    // Not a session that came after its release.
    if (this.#phones.get(numero) === phone) this.#forget(numero);
  }

  async unlink(numero: string): Promise<void> {
    const session = this.#phones.get(numero)?.session;
    if (!session?.linked || session.state === 'closing') throw new NotLinked();
    session.unlink({ type: 'disconnected', reason: 'unlinked' });
  }

  async pair(numero: string): Promise<Pairing> {
    const phone = this.#phones.get(numero);
    if (!phone) throw new NotPairable('not-waiting');
    return phone.session.pair();
  }

  async send(
    numero: string,
    to: string,
    text: string,
    acked: (ack: Ack) => void = () => {},
  ): Promise<Delivery> {
    const session = this.#phones.get(numero)?.session;
    if (session?.fault === 'failing-sends') return 'no-answer';
    if (session?.state !== 'connected' || !session.online) return 'not-connected';
    if (to.length > MAX_DIGITS) return 'no-whatsapp';
    // Immediates run after the outcome is known, and in order.
    const later = (ack: Ack) => void setImmediate(acked, ack);
    this.#recipient(to).receive({ text, from: numero, at: Date.now(), acked: later });
    return 'sent';
  }

  close(): void {
    this.#watchers.clear();
    for (const phone of this.#phones.values()) phone.session.stop();
  }

  #known(numero: string): SimulatedPhone {
    const phone = this.#phones.get(numero);
    if (!phone) throw new PhoneRefused('unknown-phone', numero);
    return phone;
  }

  #sessionPhone(numero: string): SimulatedPhone {
    this.#bystanders.delete(numero);
    return this.#phones.get(numero) ?? this.#add(numero);
  }

  /** Returns the phone with these digits, however its numero is written; a new one if there is none. */
  #recipient(digits: string): SimulatedPhone {
    for (const [numero, phone] of this.#phones) {
      if (numero.replace(/\D/g, '') === digits) return phone;
    }
    const [oldest] = this.#bystanders;
    if (oldest !== undefined && this.#bystanders.size >= BYSTANDERS_KEPT) {
      this.#bystanders.delete(oldest);
      this.#forget(oldest);
    }
    this.#bystanders.add(digits);
    return this.#add(digits);
  }

  #forget(numero: string): void {
    this.#phones.delete(numero);
    for (const watcher of this.#watchers) watcher.removed(numero);
  }

  #add(numero: string): SimulatedPhone {
    const phone = new SimulatedPhone(numero, this.#clock, ({ record }) => {
      for (const watcher of this.#watchers) watcher.changed(record);
    });
    this.#phones.set(numero, phone);
    return phone;
  }
}
