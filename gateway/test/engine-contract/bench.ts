import assert from 'node:assert/strict';
import type { Scope } from '../../../test/support/scope.ts';
import { until } from '../../../test/support/until.ts';
import type { Ack, Delivery, EngineEvent, Report } from '../../src/sessions/engine.ts';
import type { EngineLab, OpenLab } from './lab.ts';

/** What an engine told one report of a session. */
export class Hearing {
  readonly numero: string;
  readonly events: EngineEvent[] = [];

  constructor(numero: string) {
    this.numero = numero;
  }

  readonly report: Report = (event) => {
    this.events.push(event);
  };

  /** How much was told. */
  get length(): number {
    return this.events.length;
  }

  /** Resolves with the first event of a type after the first `from` events. */
  next<T extends EngineEvent['type']>(type: T, from = 0): Promise<EngineEvent & { type: T }> {
    const isWanted = (event: EngineEvent): event is EngineEvent & { type: T } => event.type === type;
    return this.#until(`report ${type}`, from, () => this.events.slice(from).find(isWanted));
  }

  /** Resolves with the first code after the first `from` events. */
  async code(from = 0): Promise<string> {
    return (await this.next('qr', from)).code;
  }

  /** The code that was told last. */
  get lastCode(): string {
    return this.all('qr').at(-1)?.code ?? assert.fail('it reported no code');
  }

  /** Resolves once messages can be sent again, after the first `from` events. */
  async connected(from: number): Promise<void> {
    await this.#until('report ready, or the state CONNECTED', from, () => this.words(from).some(isConnected));
  }

  all<T extends EngineEvent['type']>(type: T): (EngineEvent & { type: T })[] {
    return this.events.filter((event): event is EngineEvent & { type: T } => event.type === type);
  }

  /** Returns what was told after the first `from` events, in words, without what may come at any time. */
  words(from = 0): string[] {
    return this.events
      .slice(from)
      .map(wordOf)
      .filter((word) => !['name', 'signal', 'limited', 'quota'].includes(word));
  }

  /**
   * Like `words`, without what may happen at any time: that a code replaces another, and a state. A state after a code
   * remains, since it takes the code off the screen.
   */
  story(from = 0): string[] {
    const story: string[] = [];
    for (const word of this.words(from)) {
      // A code to type leaves the one to scan.
      const isReplaced = story.findLast((one) => !one.startsWith('pairing')) === 'qr';
      const isNews = word.startsWith('state ') ? story.at(-1) === 'qr' : word !== 'qr' || !isReplaced;
      if (isNews) story.push(word);
    }
    return story;
  }

  /** Fails unless the story is this one. */
  mustBe(story: readonly string[], from = 0): void {
    const told = this.story(from);
    const wanted = story.join(', ') || 'nothing';
    assert.ok(told.join() === story.join(), `must report ${wanted}, and reported ${list(this.words(from))}`);
  }

  #until<T>(expectation: string, from: number, condition: () => T): Promise<NonNullable<T>> {
    const check = () => {
      const result = condition();
      if (!result) throw new Error(`it reported ${list(this.words(from))}`);
      return result;
    };
    return until(check, `the engine to ${expectation} for ${this.numero}`);
  }
}

/** Whether a session can send from then on. */
export const isConnected = (word: string) => word === 'ready' || word === 'state CONNECTED';

const list = (words: readonly string[]) => words.join(', ') || 'nothing';

function wordOf(event: EngineEvent): string {
  switch (event.type) {
    case 'state':
      return `state ${event.state}`;
    case 'passkey':
      return `passkey ${event.passkey.step}`;
    case 'pairing':
      return event.pairing ? 'pairing' : 'pairing over';
    case 'disconnected':
    case 'delayed':
    case 'stopped':
      return event.reason ? `${event.type} ${event.reason}` : event.type;
    default:
      return event.type;
  }
}

/** A message, and what was told of it. */
interface SentText {
  readonly delivery: Delivery;
  readonly acks: readonly Ack[];
  /** Those that came before the outcome. */
  readonly early: readonly Ack[];
}

/** How many timers keep the process alive. */
export const timers = () => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;

/** A lab whose engine is restored, and what the engine has told. */
export class Bench {
  readonly lab: EngineLab;
  /** How many timers there were before the lab. */
  readonly timers: number;
  /** The sessions that the engines have listed by themselves. */
  readonly #resumed: Hearing[] = [];
  /** How many of them those before this engine had listed. */
  #mark = 0;
  static #numeros = 0;

  private constructor(lab: EngineLab, timersBefore: number) {
    this.lab = lab;
    this.timers = timersBefore;
  }

  static async open(scope: Scope, openLab: OpenLab): Promise<Bench> {
    const before = timers();
    const bench = new Bench(await openLab(scope), before);
    await bench.restore();
    return bench;
  }

  /** Lists a session that the engine found. */
  readonly resume = (numero: string): Report => {
    const hearing = new Hearing(numero);
    this.#resumed.push(hearing);
    return hearing.report;
  };

  get engine() {
    return this.lab.engine;
  }

  /** Returns a numero that no other test has, nor has `otherNumero` of any. */
  numero(): string {
    Bench.#numeros += 2;
    return `5215550${String(Bench.#numeros).padStart(6, '0')}`;
  }

  /** Returns the number of somebody else, in digits. */
  number(): string {
    Bench.#numeros += 2;
    return `346${String(Bench.#numeros).padStart(8, '0')}`;
  }

  async restore(): Promise<void> {
    await this.engine.restore(this.resume);
  }

  /** Restores another engine with the same store. */
  async restart(): Promise<void> {
    await this.lab.restart();
    this.#mark = this.#resumed.length;
    await this.restore();
  }

  /** The sessions that the engine has listed by itself. */
  get resumed(): Hearing[] {
    return this.#resumed.slice(this.#mark);
  }

  /** Returns what was told of a session that the engine has listed by itself; fails unless it did so once. */
  theResumed(numero: string): Hearing {
    const [first, ...others] = this.resumed.filter((hearing) => hearing.numero === numero);
    assert.ok(first, `the engine must list ${numero}, and did not call resume`);
    assert.equal(others.length, 0, `the engine must list ${numero} once, and did it more than once`);
    return first;
  }

  /** Resolves once the engine has listed a session by itself. */
  async appeared(numero: string): Promise<Hearing> {
    return until(() => this.theResumed(numero), `the engine to call resume for ${numero}`);
  }

  async start(numero: string): Promise<Hearing> {
    const hearing = new Hearing(numero);
    await this.engine.start(numero, hearing.report);
    return hearing;
  }

  /** Fails unless a start shows a code; a server may first try credentials that WhatsApp rejects. */
  async mustNeedCode(numero: string): Promise<void> {
    const hearing = await this.start(numero);
    await hearing.code();
    const isRelinked = hearing.words().includes('delayed relinking');
    hearing.mustBe(isRelinked ? ['delayed relinking', 'qr'] : ['qr']);
  }

  /** Starts a session, and has its phone scan the code. */
  async link(numero = this.numero()): Promise<Hearing> {
    const hearing = await this.start(numero);
    await this.lab.scan(numero, await hearing.code());
    await hearing.next('ready');
    return hearing;
  }

  async send(from: string, to: string, text = 'Hola'): Promise<SentText> {
    const acks: Ack[] = [];
    const early: Ack[] = [];
    let isOver = false;
    const delivery = await this.engine.send(from, to, text, (ack) => (isOver ? acks : early).push(ack));
    isOver = true;
    return { delivery, acks, early };
  }

  /** Has the engine carry another session for a while: what was still to be told has been told then. */
  async settle(): Promise<void> {
    const numero = this.numero();
    const hearing = await this.start(numero);
    await hearing.code();
    await this.engine.remove(numero);
  }

  /** Resolves once a condition out there is met. */
  async until(condition: () => unknown, expectation: string): Promise<void> {
    await until(async () => Boolean(await condition()), expectation);
  }
}
