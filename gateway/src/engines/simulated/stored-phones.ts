import { CREDENTIALS } from '../../ledger/driver.ts';
import type { EngineLedger } from '../../ledger/ledger.ts';
import { unlessStoreFails } from '../../ledger/operations.ts';
import type { Ack, Delivery, Engine, Pairing, Report } from '../../sessions/engine.ts';
import { NotLinked, StoreError } from '../../sessions/errors.ts';
import { Mailbox } from '../../sessions/mailbox.ts';
import type { SimulatedPhones } from './phones.ts';
import { LINKED } from './seeds.ts';

/**
 * Simulated phones whose links outlive the gateway: a store records which phones are linked. Their connections, faults
 * and messages are lost with the gateway.
 */
export class StoredPhones implements Engine {
  readonly #phones: SimulatedPhones;
  readonly #store: EngineLedger;
  /** Whether the store has the link of each session's phone, or will have it. */
  readonly #stored = new Map<string, boolean>();
  /** Writes of a session under way; its reports wait for them. */
  readonly #queues = new Map<string, Mailbox>();
  /** Deletions that another gateway began. */
  readonly #leaving = new Map<string, Promise<void>>();
  #closed = false;

  /**
   * @param phones without seeds
   * @param store closed with the engine; logs its failures
   */
  constructor(phones: SimulatedPhones, store: EngineLedger) {
    this.#phones = phones;
    this.#store = store;
    phones.watch({
      changed: ({ numero, linked }) => this.#keep(numero, linked),
      removed: () => {},
    });
  }

  restore(resume: (numero: string) => Report): Promise<void> {
    const numeros = this.#store.sessions().map(({ numero }) => numero);
    return this.resume(numeros, resume);
  }

  async resume(numeros: readonly string[], begin: (numero: string) => Report): Promise<void> {
    const stored = this.#store.sessions();
    const leaving = new Set(stored.filter((session) => session.leaving).map(({ numero }) => numero));
    const staying = numeros.filter((numero) => !leaving.has(numero));
    for (const numero of numeros) if (leaving.has(numero)) this.#resumeLeaving(numero);
    for (const numero of staying) unlessStoreFails(() => this.#readLink(numero));
    await this.#phones.resume(staying, (numero) => this.#afterWrites(numero, begin(numero)));
  }

  async release(numero: string): Promise<void> {
    this.#stored.delete(numero);
    await this.#phones.release(numero);
    await this.#queue(numero).run(async () => {});
  }

  async start(numero: string, report: Report): Promise<void> {
    await this.#leaving.get(numero);
    await this.#store.add(numero);
    if (this.#closed) throw new Error('The engine has been closed');
    this.#readLink(numero);
    await this.#phones.start(numero, this.#afterWrites(numero, report));
  }

  async remove(numero: string): Promise<void> {
    await this.#store.leave(numero);
    await this.#phones.remove(numero);
    await this.#erase(numero);
  }

  async unlink(numero: string): Promise<void> {
    if (!this.#phones.get(numero)?.linked) throw new NotLinked();
    await this.#queue(numero).run(() => this.#store.erase(numero));
    // If released meanwhile, it belongs to another gateway.
    if (!this.#stored.has(numero)) return;
    this.#stored.set(numero, false);
    await this.#phones.unlink(numero);
    // Its report may wait for the write that has just ended.
    await this.#queue(numero).run(async () => {});
  }

  pair(numero: string): Promise<Pairing> {
    return this.#phones.pair(numero);
  }

  send(numero: string, to: string, text: string, acked: (ack: Ack) => void): Promise<Delivery> {
    return this.#phones.send(numero, to, text, acked);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#phones.close();
    await this.#store.close();
  }

  /** Links the session's phone if the store says so, the first time. Throws a `StoreError`. */
  #readLink(numero: string): void {
    if (this.#stored.has(numero)) return;
    const linked = this.#store.keys(numero).first(CREDENTIALS) !== undefined;
    if (linked) this.#phones.restoreLink(numero);
    this.#stored.set(numero, linked);
  }

  /** Writes a change of the phone's link. */
  #keep(numero: string, linked: boolean): void {
    if (this.#stored.get(numero) !== !linked) return;
    this.#stored.set(numero, linked);
    const written = linked
      ? this.#store.keys(numero).write([{ ...CREDENTIALS, value: LINKED }])
      : this.#store.erase(numero);
    void this.#queue(numero)
      .run(() => written)
      .catch((error: unknown) => {
        if (!(error instanceof StoreError)) throw error;
        // The phone's next change tries again.
        if (this.#stored.get(numero) === linked) this.#stored.set(numero, !linked);
      });
  }

  /** Returns a report whose events wait for the writes under way: at `ready`, the store has the link. */
  #afterWrites(numero: string, report: Report): Report {
    return (event) => {
      if (this.#queue(numero).isEmpty) return report(event);
      void this.#queue(numero).run(async () => {
        if (this.#stored.has(numero)) report(event);
      });
    };
  }

  #resumeLeaving(numero: string): void {
    const erased = this.#erase(numero).catch((error: unknown) => {
      // The next gateway that carries the session tries again.
      if (!(error instanceof StoreError)) throw error;
    });
    this.#leaving.set(
      numero,
      erased.then(() => void this.#leaving.delete(numero)),
    );
  }

  #queue(numero: string): Mailbox {
    const queue = this.#queues.get(numero) ?? new Mailbox();
    this.#queues.set(numero, queue);
    return queue;
  }

  async #erase(numero: string): Promise<void> {
    await this.#store.remove(numero);
    this.#stored.delete(numero);
  }
}
