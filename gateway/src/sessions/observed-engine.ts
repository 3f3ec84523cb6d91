import { StoreError, type StoreFailure, storeFailure } from '../ledger/store-error.ts';
import { isTypable, onlyShowable } from './codes.ts';
import type {
  Ack,
  Delivery,
  Engine,
  EngineEvent,
  Pairing,
  PasskeyAssertion,
  PasskeyChallenge,
  Report,
} from './engine.ts';
import { NoPasskeyStep, NotLinked, NotPairable, StartRefused } from './errors.ts';

/** The outcome of a start, a removal or an unlinking: `done` of a start means that it has begun. */
export type Outcome = 'done' | 'refused' | StoreFailure | 'failed';

type Request = 'start' | 'removal' | 'unlinking';

/** What happens at an engine, besides the events that it reports. */
export type EngineNews =
  | EngineEvent
  | { type: 'request'; request: Request; outcome: Outcome }
  /** `milliseconds` is the time from the message to its outcome. */
  | { type: 'message'; delivery: Delivery; milliseconds: number }
  | { type: 'probe'; isAnswered: boolean }
  /** Another gateway takes the session over. */
  | { type: 'released' };

export type EngineObserver = (numero: string, news: EngineNews) => void;

/** An engine that reports everything to its observer, and all of whose codes can be shown. */
export class ObservedEngine implements Engine {
  readonly #engine: Engine;
  readonly #observe: EngineObserver;

  constructor(engine: Engine, observe: EngineObserver) {
    this.#engine = engine;
    this.#observe = observe;
  }

  restore(resume: (numero: string) => Report): void | Promise<void> {
    return this.#engine.restore((numero) => this.#observed(numero, resume(numero)));
  }

  async resume(numeros: readonly string[], begin: (numero: string) => Report): Promise<void> {
    await this.#engine.resume?.(numeros, (numero) => this.#observed(numero, begin(numero)));
  }

  async release(numero: string): Promise<void> {
    await this.#engine.release?.(numero);
    this.#observe(numero, { type: 'released' });
  }

  start(numero: string, report: Report): Promise<void> {
    return this.#requested('start', numero, this.#engine.start(numero, this.#observed(numero, report)));
  }

  remove(numero: string): Promise<void> {
    return this.#requested('removal', numero, this.#engine.remove(numero));
  }

  unlink(numero: string): Promise<void> {
    return this.#requested('unlinking', numero, this.#engine.unlink(numero));
  }

  async pair(numero: string): Promise<Pairing> {
    const pairing = await this.#engine.pair(numero);
    if (!isTypable(pairing.code)) throw new NotPairable('refused');
    return pairing;
  }

  async passkeyChallenge(numero: string): Promise<PasskeyChallenge> {
    const challenge = await this.#engine.passkeyChallenge?.(numero);
    if (!challenge) throw new NoPasskeyStep();
    return challenge;
  }

  async passkey(numero: string, assertion?: PasskeyAssertion): Promise<void> {
    if (!this.#engine.passkey) throw new NoPasskeyStep();
    await this.#engine.passkey(numero, assertion);
  }

  async send(numero: string, to: string, text: string, acked: (ack: Ack) => void): Promise<Delivery> {
    const begun = performance.now();
    const delivery = await this.#engine.send(numero, to, text, acked);
    this.#observe(numero, { type: 'message', delivery, milliseconds: performance.now() - begun });
    return delivery;
  }

  async probe(numero: string): Promise<boolean | undefined> {
    const isAnswered = await this.#engine.probe?.(numero);
    if (isAnswered !== undefined) this.#observe(numero, { type: 'probe', isAnswered });
    return isAnswered;
  }

  reconnect(numero: string): void {
    this.#engine.reconnect?.(numero);
  }

  get proxy(): string | undefined {
    return this.#engine.proxy;
  }

  get testProxy(): Engine['testProxy'] {
    return this.#engine.testProxy?.bind(this.#engine);
  }

  reroute(numero: string): void {
    this.#engine.reroute?.(numero);
  }

  close(): void | Promise<void> {
    return this.#engine.close();
  }

  async #requested(request: Request, numero: string, done: Promise<void>): Promise<void> {
    this.#observe(numero, { type: 'request', request, outcome: await outcomeOf(done) });
    return done;
  }

  #observed(numero: string, report: Report): Report {
    return onlyShowable((event) => {
      this.#observe(numero, event);
      report(event);
    });
  }
}

function outcomeOf(task: Promise<void>): Promise<Outcome> {
  return task.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof StartRefused || error instanceof NotLinked) return 'refused';
      if (error instanceof StoreError) return storeFailure(error);
      return 'failed';
    },
  );
}
