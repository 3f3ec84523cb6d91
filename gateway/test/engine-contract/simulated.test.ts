import type { Scope } from '../../../test/support/scope.ts';
import { type Clock, realClock } from '../../src/engines/simulated/clock.ts';
import { SimulatedPhones } from '../../src/engines/simulated/phones.ts';
import type { Engine } from '../../src/sessions/engine.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { engineContract } from './contract.ts';
import type { Arrival, EngineLab, StopAbility } from './lab.ts';

/** Where codes begin, in milliseconds: what takes less time is a step. */
const LONGEST_STEP = 5_000;
/** The life of each code but the first, in milliseconds. */
const CODE_LIFE = 20_000;
/** How long after the scan the codes of a passkey need not be compared, in milliseconds. */
const PROVEN = 5 * 60_000;

/** Steps take a thousandth of their time; codes last until the test ends them. */
class LabClock implements Clock {
  readonly codes = new ManualClock();
  readonly #steps = realClock(1_000);

  after(ms: number, task: () => void): () => void {
    return ms > LONGEST_STEP ? this.codes.after(ms, task) : this.#steps.after(ms, task);
  }

  at(ms: number): number {
    return this.codes.at(ms);
  }
}

class SimulatedLab implements EngineLab {
  readonly #clock = new LabClock();
  readonly #store = new MemoryStore();
  #phones = this.#create();
  comparesCodes = false;

  get engine(): Engine {
    return this.#phones;
  }

  async restart(): Promise<void> {
    await this.#phones.close();
    this.#phones = this.#create();
  }

  async scan(numero: string, code: string): Promise<void> {
    this.#phones.phone(numero).scan(code);
  }

  async scanWithOther(numero: string): Promise<void> {
    this.#phones.phone(numero).logOut('other-number');
  }

  async scanWithPasskey(numero: string): Promise<void> {
    this.#phones.phone(numero).usePasskey();
    if (this.comparesCodes) this.#clock.codes.advance(PROVEN);
  }

  async type(numero: string, code: string): Promise<void> {
    this.#phones.typeCode(numero, code);
  }

  async renewCode(numero: string): Promise<void> {
    const code = this.#phones.get(numero)?.code;
    while (this.#phones.get(numero)?.code === code) this.#clock.codes.advance(CODE_LIFE);
  }

  async endCodes(numero: string): Promise<void> {
    while (this.#phones.get(numero)?.code) this.#clock.codes.advance(CODE_LIFE);
  }

  async logOut(numero: string): Promise<void> {
    this.#phones.phone(numero).logOut();
  }

  async loseLine(numero: string): Promise<void> {
    this.#phones.phone(numero).loseLine();
  }

  async recoverLine(numero: string): Promise<void> {
    this.#phones.phone(numero).recoverLine();
  }

  async isLinked(numero: string): Promise<boolean> {
    return this.#phones.get(numero)?.linked ?? false;
  }

  /** Every number of at most 15 digits uses it. */
  async absent(number: string): Promise<string> {
    return number.padEnd(16, '0');
  }

  async arrivals(number: string): Promise<readonly Arrival[]> {
    const messages = this.#phones.get(number)?.messages ?? [];
    return messages.map(({ from, text }) => ({ from, text }));
  }

  async acknowledge(number: string, ack: 'device' | 'read'): Promise<void> {
    const isUnread = this.#phones.get(number)?.messages.some(({ read }) => !read);
    if (ack === 'read' && isUnread) this.#phones.phone(number).read();
  }

  async stop(numero: string, reason: StopAbility): Promise<void> {
    this.#phones.phone(numero).logOut(reason);
  }

  #create(): SimulatedPhones {
    return new SimulatedPhones(this.#clock, async () => this.#store);
  }
}

async function openLab(scope: Scope): Promise<EngineLab> {
  const lab = new SimulatedLab();
  scope.after(() => lab.engine.close());
  return lab;
}

engineContract('simulated phones', openLab, [
  ...(['unlink', 'pairing', 'ack', 'keeps', 'moves', 'expires', 'passkeys'] as const),
  ...(['passkey', 'restricted', 'replaced'] as const),
]);
