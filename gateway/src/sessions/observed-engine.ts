import { isTypable, onlyShowable } from './codes.ts';
import type { Ack, Delivery, Engine, EngineEvent, Pairing, Report } from './engine.ts';
import {
  NotLinked,
  NotPairable,
  StartRefused,
  StoreError,
  type StoreFailure,
  storeFailure,
} from './errors.ts';

/** The outcome of a start, a removal or an unlinking: `done` of a start means that it has begun. */
export type Outcome = 'done' | 'refused' | StoreFailure | 'failed';

/** Observes the requests to an engine, and their outcomes. */
export interface EngineObserver {
  started(numero: string, outcome: Outcome): void;
  removed(numero: string, outcome: Outcome): void;
  unlinked(numero: string, outcome: Outcome): void;
  /** @param milliseconds from the request to the outcome */
  sent(numero: string, delivery: Delivery, milliseconds: number): void;
  reported(numero: string, event: EngineEvent): void;
}

/** An engine that reports everything to its observers, and all of whose codes can be shown. */
export class ObservedEngine implements Engine {
  readonly #engine: Engine;
  readonly #observers: readonly EngineObserver[];

  constructor(engine: Engine, observers: readonly EngineObserver[]) {
    this.#engine = engine;
    this.#observers = observers;
  }

  restore(resume: (numero: string) => Report): void | Promise<void> {
    return this.#engine.restore((numero) => this.#observed(numero, resume(numero)));
  }

  async resume(numeros: readonly string[], begin: (numero: string) => Report): Promise<void> {
    await this.#engine.resume?.(numeros, (numero) => this.#observed(numero, begin(numero)));
  }

  async release(numero: string): Promise<void> {
    await this.#engine.release?.(numero);
  }

  async start(numero: string, report: Report): Promise<void> {
    const started = this.#engine.start(numero, this.#observed(numero, report));
    const outcome = await outcomeOf(started);
    for (const observer of this.#observers) observer.started(numero, outcome);
    return started;
  }

  async remove(numero: string): Promise<void> {
    const removed = this.#engine.remove(numero);
    const outcome = await outcomeOf(removed);
    for (const observer of this.#observers) observer.removed(numero, outcome);
    return removed;
  }

  async unlink(numero: string): Promise<void> {
    const unlinked = this.#engine.unlink(numero);
    const outcome = await outcomeOf(unlinked);
    for (const observer of this.#observers) observer.unlinked(numero, outcome);
    return unlinked;
  }

  async pair(numero: string): Promise<Pairing> {
    const pairing = await this.#engine.pair(numero);
    if (!isTypable(pairing.code)) throw new NotPairable('refused');
    return pairing;
  }

  async send(numero: string, to: string, text: string, acked: (ack: Ack) => void): Promise<Delivery> {
    const begun = performance.now();
    const delivery = await this.#engine.send(numero, to, text, acked);
    for (const observer of this.#observers) observer.sent(numero, delivery, performance.now() - begun);
    return delivery;
  }

  close(): void | Promise<void> {
    return this.#engine.close();
  }

  #observed(numero: string, report: Report): Report {
    return onlyShowable((event) => {
      for (const observer of this.#observers) observer.reported(numero, event);
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
