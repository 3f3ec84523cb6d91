import { type Clock, realClock } from '../../src/engines/simulated/clock.ts';
import { SimulatedPhones } from '../../src/engines/simulated/phones.ts';
import { StoredPhones } from '../../src/engines/simulated/stored-phones.ts';
import type { Engine } from '../../src/sessions/engine.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { engineContract } from './contract.ts';
import type { Ability, Arrival, EngineLab, OpenLab, StopAbility } from './lab.ts';

/** Where codes begin, in milliseconds: what takes less time is a step. */
const LONGEST_STEP = 5_000;
/** The life of each code but the first, in milliseconds. */
const CODE_LIFE = 20_000;

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
  readonly #wrap: (phones: SimulatedPhones) => Engine;
  #phones: SimulatedPhones;
  #engine: Engine;

  /** @param wrap returns the engine */
  constructor(wrap: (phones: SimulatedPhones) => Engine) {
    this.#wrap = wrap;
    this.#phones = new SimulatedPhones(this.#clock, []);
    this.#engine = wrap(this.#phones);
  }

  get engine(): Engine {
    return this.#engine;
  }

  async restart(): Promise<void> {
    await this.#engine.close();
    this.#phones = new SimulatedPhones(this.#clock, []);
    this.#engine = this.#wrap(this.#phones);
  }

  async scan(numero: string, code: string): Promise<void> {
    this.#phones.scan(numero, code);
  }

  async scanWithOther(numero: string): Promise<void> {
    this.#phones.logOut(numero, 'other-number');
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
    this.#phones.logOut(numero);
  }

  async loseLine(numero: string): Promise<void> {
    this.#phones.loseLine(numero);
  }

  async recoverLine(numero: string): Promise<void> {
    this.#phones.recoverLine(numero);
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
    if (ack === 'read' && isUnread) this.#phones.read(number);
  }

  async stop(numero: string, reason: StopAbility): Promise<void> {
    this.#phones.logOut(numero, reason);
  }
}

/** @param wrap returns a function that returns the engine of a lab, again and again */
function labOf(wrap: () => (phones: SimulatedPhones) => Engine): OpenLab {
  return async (scope) => {
    const lab = new SimulatedLab(wrap());
    scope.after(() => lab.engine.close());
    return lab;
  };
}

const ABILITIES: Ability[] = ['unlink', 'pairing', 'ack', 'expires', 'passkey', 'restricted', 'replaced'];
const stored = () => {
  const store = new MemoryStore();
  return (phones: SimulatedPhones) => new StoredPhones(phones, store);
};

engineContract(
  'simulated phones',
  labOf(() => (phones) => phones),
  ABILITIES,
);
engineContract('stored simulated phones', labOf(stored), [...ABILITIES, 'keeps', 'moves']);
