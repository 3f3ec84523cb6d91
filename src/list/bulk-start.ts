import { Observable } from '../observable.ts';
import type { Outcome } from '../store/calls.ts';
import type { Store } from '../store/store.ts';
import * as texts from '../texts.ts';
import { STATES } from '../wire.ts';

/** How many are started at a time: more would overload a server that opens a browser for each. */
const AT_ONCE = 3;

/** The notices of a run replace each other: a hundred starts are not to be a hundred notices. */
const REPLACE_KEY = 'bulk';

interface BulkResult {
  readonly numero: string;
  /** Why it could not be started. */
  readonly error: Error | undefined;
}

export interface BulkRun {
  /** How many are to be started, without those that were deleted meanwhile. */
  readonly total: number;
  /** Those that have ended, in that order. */
  readonly results: readonly BulkResult[];
  /** Those that the server has been asked for and not answered. */
  readonly asked: readonly string[];
  readonly state: 'running' | 'ended';
}

/** Starts many sessions, one run after the other. */
export class BulkStart {
  /** The run that is shown. */
  readonly run = new Observable<BulkRun | undefined>(undefined);
  readonly #store: Pick<Store, 'up' | 'giveUpStart' | 'get' | 'notify'>;
  /** Which run is shown: what another one still answers does not count. */
  #id = 0;
  /** Those that are still to be asked for. */
  #queue: string[] = [];

  constructor(store: Pick<Store, 'up' | 'giveUpStart' | 'get' | 'notify'>) {
    this.#store = store;
  }

  /** Starts these, unless a run is under way. Resolves when all that were asked for have been answered. */
  async start(numeros: readonly string[]): Promise<void> {
    if (this.run.get()?.state === 'running') return;
    this.#id += 1;
    this.run.set({ total: numeros.length, results: [], asked: [], state: 'running' });
    await this.#work(numeros);
  }

  /** Starts some that failed again, in the same run. */
  async retry(numeros: readonly string[]): Promise<void> {
    const run = this.run.get();
    if (!run) return;
    this.#update({ results: run.results.filter(({ numero }) => !numeros.includes(numero)) });
    if (run.state === 'running') this.#queue.push(...numeros);
    else await this.#work(numeros);
  }

  /**
   * Ends the run: starts no more, aborts the starts whose answer is late, and waits for no other. Answers count as long as
   * the run is shown.
   */
  stop(): void {
    const run = this.run.get();
    if (run?.state !== 'running') return;
    this.#queue.length = 0;
    this.#update({ state: 'ended' });
    for (const numero of run.asked) this.#store.giveUpStart(numero);
  }

  /** Shows the run no longer. */
  dismiss(): void {
    this.#id += 1;
    this.run.set(undefined);
  }

  async #work(numeros: readonly string[]): Promise<void> {
    const id = this.#id;
    const queue = [...numeros];
    this.#queue = queue;
    this.#update({ state: 'running' });
    const work = async () => {
      for (let numero = this.#next(queue); numero !== undefined; numero = this.#next(queue)) {
        const outcome = await this.#store.up(numero, REPLACE_KEY);
        if (id !== this.#id) return;
        this.#answered(numero, outcome);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // Those that a stop did not wait for end later than those that were retried after it.
    if (id !== this.#id || queue !== this.#queue) return;
    this.#update({ state: 'ended' });
    const run = this.run.get();
    if (run && failedIn(run).length > 0) this.#store.notify('negative', textOf(run), REPLACE_KEY);
  }

  /** Takes the next one from the queue, past those that were deleted meanwhile or are about to be. */
  #next(queue: string[]): string | undefined {
    for (let numero = queue.shift(); numero !== undefined; numero = queue.shift()) {
      const { total, asked } = this.run.get() ?? { total: 0, asked: [] };
      const state = this.#store.get(numero)?.session.state;
      if (state !== undefined && state !== STATES.closing) {
        this.#update({ asked: [...asked, numero] });
        return numero;
      }
      this.#update({ total: total - 1 });
    }
    return undefined;
  }

  #answered(numero: string, { error }: Outcome): void {
    const { results, asked } = this.run.get() ?? { results: [], asked: [] };
    this.#update({
      results: [...results, { numero, error }],
      asked: asked.filter((other) => other !== numero),
    });
  }

  #update(change: Partial<BulkRun>): void {
    const run = this.run.get();
    if (run) this.run.set({ ...run, ...change });
  }
}

/** Those that could not be started. */
export function failedIn({ results }: BulkRun): readonly string[] {
  return results.flatMap(({ numero, error }) => (error ? numero : []));
}

/** How far a run has come, or how it ended, in a sentence. */
export function textOf(run: BulkRun): string {
  const { total, results, asked, state } = run;
  if (state !== 'ended') return texts.starting(results.length, total);
  const failed = failedIn(run).length;
  const left = total - results.length - asked.length;
  return texts.startingEnded(results.length - failed, failed, asked.length, left);
}
