import { Listeners } from '../observable.ts';
import type { Outcome, Store } from '../store.ts';
import { texts } from '../texts.ts';
import { STATES } from '../wire.ts';

/** How many are started at a time: a server that opens a browser for each has a hard time with more. */
const AT_ONCE = 3;

/** Its notices take each other's place: a hundred starts are not to be a hundred notices. */
const TOPIC = 'bulk';

export interface BulkResult {
  readonly numero: string;
  /** Why it could not be started. */
  readonly error: Error | undefined;
}

export interface BulkRun {
  /** How many are to be started; less by those that were deleted meanwhile. */
  readonly total: number;
  /** Those that have ended, in that order. */
  readonly results: readonly BulkResult[];
  /** Those that the server has been asked for and not answered. A run that was stopped does not wait for them. */
  readonly asked: readonly string[];
  readonly state: 'running' | 'ended';
  /** How far it has come, or how it ended, in a sentence. */
  readonly text: string;
}

const NONE: BulkRun = { total: 0, results: [], asked: [], state: 'ended', text: '' };

/** Starts many sessions, one run after the other. What is shown of it is the last run. */
export class BulkStart {
  readonly #store: Pick<Store, 'up' | 'giveUpStart' | 'session' | 'notices'>;
  readonly #listeners = new Listeners();
  #run: BulkRun | undefined;
  /** Which run is shown: what comes late of another has no place in it. */
  #id = 0;

  constructor(store: Pick<Store, 'up' | 'giveUpStart' | 'session' | 'notices'>) {
    this.#store = store;
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  readonly getSnapshot = (): BulkRun | undefined => this.#run;

  /** Starts these, unless a run is under way. Resolves when all that were asked for have been answered. */
  async start(numeros: Iterable<string>): Promise<void> {
    if (this.#run?.state === 'running') return;
    const queue = [...numeros];
    this.#id += 1;
    const id = this.#id;
    this.#set({ ...NONE, total: queue.length, state: 'running' });
    const work = async () => {
      for (let numero = this.#next(queue); numero !== undefined; numero = this.#next(queue)) {
        const outcome = await this.#store.up(numero, TOPIC);
        if (id !== this.#id) return;
        this.#answered(numero, outcome);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (id !== this.#id) return;
    this.#update({ state: 'ended' });
    if (this.failed().length > 0) this.#store.notices.add('negative', this.#run?.text ?? '', TOPIC);
  }

  /**
   * Ends the run: begins no more, gives up the starts whose answer is late, and waits for no other. What is answered
   * while the run is still shown counts.
   */
  stop(): void {
    if (this.#run?.state !== 'running') return;
    this.#update({ state: 'ended' });
    for (const numero of this.#run.asked) this.#store.giveUpStart(numero);
  }

  /** Those of the last run that could not be started. */
  failed(): readonly string[] {
    return (this.#run?.results ?? []).flatMap(({ numero, error }) => (error ? numero : []));
  }

  /** Forgets the last run. */
  dismiss(): void {
    this.#id += 1;
    this.#run = undefined;
    this.#listeners.call();
  }

  /** The next one to start. One that was deleted since it was chosen, or is about to be, stays so. */
  #next(queue: string[]): string | undefined {
    while (this.#run?.state === 'running') {
      const numero = queue.shift();
      if (numero === undefined) return undefined;
      const session = this.#store.session(numero);
      if (session && session.state !== STATES.closing) {
        this.#update({ asked: [...this.#run.asked, numero] });
        return numero;
      }
      this.#update({ total: this.#run.total - 1 });
    }
    return undefined;
  }

  #answered(numero: string, { error }: Outcome): void {
    const { results, asked } = this.#run ?? NONE;
    this.#update({
      results: [...results, { numero, error }],
      asked: asked.filter((other) => other !== numero),
    });
  }

  #update(change: Partial<BulkRun>): void {
    this.#set({ ...NONE, ...this.#run, ...change });
  }

  #set(run: BulkRun): void {
    this.#run = { ...run, text: textOf(run) };
    this.#listeners.call();
  }
}

function textOf({ total, results, asked, state }: BulkRun): string {
  if (state !== 'ended') return texts.starting(results.length, total);
  const failed = results.filter(({ error }) => error).length;
  const left = total - results.length - asked.length;
  return texts.startingEnded(results.length - failed, failed, asked.length, left);
}
