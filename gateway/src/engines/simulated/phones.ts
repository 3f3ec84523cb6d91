import { createHash } from 'node:crypto';
import type { EngineLedger } from '../../ledger/engine-ledger.ts';
import { unlessStoreFails } from '../../ledger/operations.ts';
import { ignoreStoreError } from '../../ledger/store-error.ts';
import { digitsOf } from '../../numbers.ts';
import { ProxyError } from '../../proxy/failure.ts';
import type { ProxyServer } from '../../proxy/proxy.ts';
import type {
  Ack,
  Delivery,
  Engine,
  Pairing,
  PasskeyAssertion,
  PasskeyChallenge,
  Report,
} from '../../sessions/engine.ts';
import { NoPasskeyStep, NotLinked, NotPairable } from '../../sessions/errors.ts';
import type { Clock } from './clock.ts';
import { createChallenge, typedPairingCode } from './codes.ts';
import type { PhoneFault } from './faults.ts';
import type { PhoneRecord } from './record.ts';
import { PhoneRefused } from './refusals.ts';
import type { Seed } from './seeds.ts';
import type { PhoneSession } from './session.ts';
import { SimulatedPhone } from './simulated-phone.ts';
import { StoredLink } from './stored-link.ts';

/** Longest phone number (E.164), in digits. */
const MAX_DIGITS = 15;
/** How many phones without a session are kept, for the messages that they received. */
const BYSTANDERS_KEPT = 100;

/** Observes the phones: receives a phone's record after each change, and the numero of a removed one. */
interface PhonesWatcher {
  changed(phone: PhoneRecord): void;
  removed(numero: string): void;
}

/**
 * The simulated engine: every session has a phone, and every number of up to 15 digits uses WhatsApp. The
 * ledger keeps which phones are linked; their connections, faults and messages end with the process.
 */
export class SimulatedPhones implements Engine {
  readonly #clock: Clock;
  readonly #open: () => Promise<EngineLedger>;
  readonly #seeds: readonly Seed[];
  readonly #phones = new Map<string, SimulatedPhone>();
  /** Of the phones with a session. */
  readonly #links = new Map<string, StoredLink>();
  /** Deletions that another gateway began. */
  readonly #deletions = new Map<string, Promise<void>>();
  readonly #watchers = new Set<PhonesWatcher>();
  #restored: EngineLedger | undefined;
  #closed = false;

  /**
   * @param open opens the ledger; called once, by `restore`
   * @param seeds sessions to begin with, which the ledger does not have
   */
  constructor(clock: Clock, open: () => Promise<EngineLedger>, seeds: readonly Seed[] = []) {
    this.#clock = clock;
    this.#open = open;
    this.#seeds = seeds;
  }

  /** Returns every phone, oldest first. */
  list(): PhoneRecord[] {
    return [...this.#phones.values()].map((phone) => phone.record);
  }

  get(numero: string): PhoneRecord | undefined {
    return this.#phones.get(numero)?.record;
  }

  /** Returns a phone, for what its owner does. Throws a {@link PhoneRefused} if there is none. */
  phone(numero: string): SimulatedPhone {
    const phone = this.#phones.get(numero);
    if (!phone) throw new PhoneRefused('unknown-phone', numero);
    return phone;
  }

  /** Types a pairing code, in upper or lower case; refused unless it is the one that this numero's session gave. */
  typeCode(numero: string, typed: string): void {
    const phone = this.phone(numero);
    const code = typedPairingCode(typed);
    const isForeign = [...this.#phones.values()].some(({ session }) => session.hasGiven(code));
    phone.typeCode(code, isForeign);
  }

  /** Gives the phone a fault in place of the previous one, or none. The fault ends with the session. */
  setFault(numero: string, fault: PhoneFault | null): void {
    this.phone(numero).session.fault = fault;
  }

  /** Notifies `watcher` of every change from now on. */
  watch(watcher: PhonesWatcher): void {
    this.#watchers.add(watcher);
  }

  async restore(resume: (numero: string) => Report): Promise<void> {
    const ledger = await this.#open();
    this.#restored = ledger;
    await this.resume(
      ledger.sessions().map(({ numero }) => numero),
      resume,
    );
    for (const seed of this.#seeds) {
      const { numero, reported } = seed;
      await ledger.add(numero);
      const link = this.#link(numero);
      const phone = this.#sessionPhone(numero);
      phone.session.resume(link.reporting(resume(numero)), seed);
      if (reported !== undefined) phone.report(reported);
      await link.written();
    }
  }

  /** Phones that are linked connect within a second; the others are disconnected. */
  async resume(numeros: readonly string[], begin: (numero: string) => Report): Promise<void> {
    const leaving = new Set(this.#ledger.sessions().flatMap((each) => (each.leaving ? each.numero : [])));
    for (const numero of numeros) {
      if (leaving.has(numero)) {
        this.#resumeDeletion(numero);
        continue;
      }
      const link = unlessStoreFails(() => this.#link(numero));
      const { session } = this.#sessionPhone(numero);
      const report = link ? link.reporting(begin(numero)) : begin(numero);
      if (session.linked) session.start(report);
      else session.resume(report, { numero, state: 'disconnected' });
    }
  }

  /** Also forgets the phone, with its messages and its fault. */
  async release(numero: string): Promise<void> {
    const link = this.#links.get(numero);
    this.#links.delete(numero);
    this.#phones.get(numero)?.session.release();
    this.#forget(numero);
    await link?.release();
  }

  async start(numero: string, report: Report): Promise<void> {
    await this.#deletions.get(numero);
    await this.#ledger.add(numero);
    if (this.#closed) throw new Error('The engine has been closed');
    const link = this.#link(numero);
    this.#sessionPhone(numero).session.start(link.reporting(report));
  }

  async remove(numero: string): Promise<void> {
    await this.#ledger.leave(numero);
    const phone = this.#phones.get(numero);
    await phone?.session.end();
    // If released meanwhile, it belongs to another gateway.
    if (this.#phones.get(numero) !== phone) return;
    this.#forget(numero);
    await this.#erase(numero);
  }

  async unlink(numero: string): Promise<void> {
    this.#linkedSession(numero);
    const link = this.#links.get(numero);
    await link?.erase();
    // If released meanwhile, it belongs to another gateway.
    if (this.#links.get(numero) !== link) return;
    this.#linkedSession(numero).unlink({ type: 'disconnected', reason: 'unlinked' });
    await link?.written();
  }

  async pair(numero: string): Promise<Pairing> {
    const phone = this.#phones.get(numero);
    if (!phone) throw new NotPairable('not-waiting');
    return phone.session.pair();
  }

  async passkeyChallenge(numero: string): Promise<PasskeyChallenge> {
    if (this.#phones.get(numero)?.passkey?.step !== 'sign') throw new NoPasskeyStep();
    return createChallenge();
  }

  /** Any signature is good. */
  async passkey(numero: string, assertion?: PasskeyAssertion): Promise<void> {
    const phone = this.#phones.get(numero);
    if (!phone) throw new NoPasskeyStep();
    phone.goOn(assertion ? 'sign' : 'confirm');
  }

  async send(
    numero: string,
    to: string,
    text: string,
    acked: (ack: Ack) => void = () => {},
  ): Promise<Delivery> {
    const sender = this.#phones.get(numero);
    if (!sender) return 'not-connected';
    const { session } = sender;
    if (session.fault === 'failing-sends' || session.fault === 'zombie') return 'no-answer';
    if (!session.isAnswered) return 'not-connected';
    session.signal();
    if (to.length > MAX_DIGITS) return 'no-whatsapp';
    if (session.fault === 'restricted' && !this.#haveTalked(sender, to)) return 'restricted';
    const later = (ack: Ack) => {
      if (session.fault === 'zombie') return;
      session.signal();
      // Immediates run after the outcome is known, and in order.
      setImmediate(acked, ack);
    };
    this.#recipient(to).receive({ text, from: numero, at: Date.now(), acked: later });
    return 'sent';
  }

  async probe(numero: string): Promise<boolean> {
    const session = this.#phones.get(numero)?.session;
    session?.signal();
    return session?.isAnswered ?? false;
  }

  async testProxy(proxy: ProxyServer): Promise<string> {
    return simulatedExit(proxy);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watchers.clear();
    for (const phone of this.#phones.values()) phone.session.stop();
    await this.#restored?.close();
  }

  get #ledger(): EngineLedger {
    if (!this.#restored) throw new Error('The engine was not restored');
    return this.#restored;
  }

  /** Returns the link of a session. Throws a `StoreError` if it cannot be read. */
  #link(numero: string): StoredLink {
    const known = this.#links.get(numero);
    if (known) return known;
    const link = new StoredLink(numero, this.#ledger);
    this.#links.set(numero, link);
    if (link.isLinked) this.#sessionPhone(numero).session.restoreLink();
    return link;
  }

  #linkedSession(numero: string): PhoneSession {
    const session = this.#phones.get(numero)?.session;
    if (!session?.linked || session.state === 'closing') throw new NotLinked();
    return session;
  }

  /** Returns the phone of a session; a new one if there is none. */
  #sessionPhone(numero: string): SimulatedPhone {
    return this.#phones.get(numero) ?? this.#add(numero);
  }

  /** Whether one of them has sent the other a message that is still kept. */
  #haveTalked(sender: SimulatedPhone, digits: string): boolean {
    const isAnswer = sender.hasMessageFrom(digits);
    return isAnswer || (this.#owner(digits)?.hasMessageFrom(digitsOf(sender.numero)) ?? false);
  }

  /** Returns the phone with these digits, however its numero is written. */
  #owner(digits: string): SimulatedPhone | undefined {
    for (const [numero, phone] of this.#phones) if (digitsOf(numero) === digits) return phone;
    return undefined;
  }

  /** Returns the phone with these digits; a new one if there is none. */
  #recipient(digits: string): SimulatedPhone {
    const owner = this.#owner(digits);
    if (owner) return owner;
    const bystanders = [...this.#phones.keys()].filter((numero) => !this.#links.has(numero));
    const [oldest] = bystanders;
    if (oldest !== undefined && bystanders.length >= BYSTANDERS_KEPT) this.#forget(oldest);
    return this.#add(digits);
  }

  #resumeDeletion(numero: string): void {
    // After a failure, the next gateway that owns the session tries again.
    const erased = this.#erase(numero).catch(ignoreStoreError);
    this.#deletions.set(
      numero,
      erased.then(() => void this.#deletions.delete(numero)),
    );
  }

  async #erase(numero: string): Promise<void> {
    await this.#ledger.remove(numero);
    this.#links.delete(numero);
  }

  #forget(numero: string): void {
    if (!this.#phones.delete(numero)) return;
    for (const watcher of this.#watchers) watcher.removed(numero);
  }

  #add(numero: string): SimulatedPhone {
    const phone = new SimulatedPhone(numero, this.#clock, ({ record, session }) => {
      this.#links.get(numero)?.keep(session.linked);
      for (const watcher of this.#watchers) watcher.changed(record);
    });
    this.#phones.set(numero, phone);
    return phone;
  }
}

/**
 * Returns the address that the other side sees through a simulated proxy: one for documentation (RFC 5737). Throws a
 * {@link ProxyError} for a host that cannot exist, such as `proxy.invalid` (RFC 2606).
 */
function simulatedExit({ url, name }: ProxyServer): string {
  if (/(?:^|\.)invalid$/.test(url.hostname)) throw new ProxyError('unreachable', name);
  const [byte = 0] = createHash('sha256').update(name).digest();
  return `203.0.113.${byte}`;
}
