import { Observable } from '../observable.ts';
import type { Store } from '../store/store.ts';
import * as texts from '../texts.ts';
import { STATES } from '../wire.ts';

/** How many are started at a time: more would overload a server that opens a browser for each. */
const AT_ONCE = 3;

/** The notices of a run replace each other: a hundred starts must not be a hundred notices. */
const REPLACE_KEY = 'bulk';

/**
 * How far a start has come. A stop leaves those that were asked for `unanswered`, though their answers still count, and
 * those in the queue `skipped`.
 */
type Stage = 'queued' | 'asked' | 'unanswered' | 'skipped' | 'started' | 'failed';

/** The stage of a start, or the error that it failed with. */
type Progress = Exclude<Stage, 'failed'> | Error;

/** The sessions of a run, the one whose progress changed last at the end. */
export type BulkRun = ReadonlyMap<string, Progress>;

export type BulkStart = ReturnType<typeof createBulkStart>;

/** Starts many sessions, one run after the other. */
export function createBulkStart(store: Pick<Store, 'up' | 'giveUpStart' | 'get' | 'notify'>) {
  /** The run that is shown. */
  const run = new Observable<BulkRun | undefined>(undefined);

  /** Sets the progress of sessions; undefined takes them out of the run. */
  function set(numeros: readonly string[], progress: Progress | undefined): void {
    const now = new Map(run.get());
    for (const numero of numeros) {
      now.delete(numero);
      if (progress) now.set(numero, progress);
    }
    run.set(now);
  }

  const at = (...stages: readonly Stage[]) => numerosAt(run.get(), ...stages);

  /** Starts the next ones, past those that were deleted meanwhile or are being deleted. */
  function startNext(): void {
    for (const numero of at('queued')) {
      if (at('asked').length === AT_ONCE) return;
      const state = store.get(numero)?.session.state;
      const isListed = state !== undefined && state !== STATES.closing;
      set([numero], isListed ? 'asked' : undefined);
      if (isListed)
        void store.up(numero, REPLACE_KEY).then(({ error }) => answered(numero, error ?? 'started'));
    }
  }

  function answered(numero: string, progress: Progress): void {
    const before = run.get()?.get(numero);
    // The run that asked for it may have been dismissed.
    if (before !== 'asked' && before !== 'unanswered') return;
    set([numero], progress);
    startNext();
    const now = run.get();
    if (now && at('queued', 'asked', 'unanswered').length === 0 && at('failed').length > 0)
      store.notify('negative', textOf(now), REPLACE_KEY);
  }

  return {
    run,

    /** Starts these, unless a run is under way. */
    start(numeros: readonly string[]): void {
      if (isRunning(run.get())) return;
      run.set(new Map());
      set(numeros, 'queued');
      startNext();
    },

    /** Starts some that failed again, in the same run. */
    retry(numeros: readonly string[]): void {
      set(numeros, 'queued');
      startNext();
    },

    /** Ends the run: starts no more, aborts the starts whose answer is late, and waits for no other. */
    stop(): void {
      if (!isRunning(run.get())) return;
      const asked = at('asked');
      set(at('queued'), 'skipped');
      set(asked, 'unanswered');
      for (const numero of asked) store.giveUpStart(numero);
    },

    /** Hides the run. */
    dismiss: () => run.set(undefined),
  };
}

/** The sessions at some stages. */
export function numerosAt(run: BulkRun | undefined, ...stages: readonly Stage[]): readonly string[] {
  const isWanted = (progress: Progress) => stages.includes(progress instanceof Error ? 'failed' : progress);
  return [...(run ?? [])].flatMap(([numero, progress]) => (isWanted(progress) ? numero : []));
}

export function isRunning(run: BulkRun | undefined): boolean {
  return numerosAt(run, 'queued', 'asked').length > 0;
}

/** How far a run has come, or how it ended, in a sentence. */
export function textOf(run: BulkRun): string {
  const count = (...stages: readonly Stage[]) => numerosAt(run, ...stages).length;
  return isRunning(run)
    ? texts.starting(count('started', 'failed'), run.size)
    : texts.startingEnded(count('started'), count('failed'), count('unanswered'), count('skipped'));
}
