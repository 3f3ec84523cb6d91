import { Observable } from '../observable.ts';
import type { Store } from '../store/store.ts';
import * as texts from '../texts.ts';
import { STATES } from '../wire.ts';

/** How many calls are under way at a time: more would overload a server that opens a browser for each start. */
const AT_ONCE = 3;

/** The notices of a run replace each other: a hundred starts must not be a hundred notices. */
const REPLACE_KEY = 'bulk';

/**
 * How far a run has come with a session. A stop leaves those that were asked for `unanswered`, though their answers still
 * count, and those in the queue `skipped`. A session that was started is `done`, and `connected` while it is well.
 */
export type Stage = 'queued' | 'asked' | 'unanswered' | 'skipped' | 'done' | 'connected' | 'failed';

/** What can be done to each session: what the user may do. */
export const TASKS = ['start', 'label', 'link'] as const;

type Task = (typeof TASKS)[number];

interface Step {
  readonly stage: Exclude<Stage, 'connected'>;
  /** An error, or what the call made: the URL of a link, or a group. */
  readonly result?: Error | string | undefined;
}

/** A new object for each change. The map inside stays the same: it may have thousands of sessions. */
interface BulkRun {
  readonly task: Task;
  /** The group that the sessions are put into. */
  readonly group?: string | undefined;
  /** By numero, the latest last; none before a run and after it was dismissed. */
  readonly steps: Map<string, Step>;
}

/** What a run has made of its sessions. */
const RESULTS = { start: texts.connected, label: texts.grouped, link: texts.linksCreated };

const NO_RUN: BulkRun = { task: 'start', steps: new Map() };

export type Bulk = ReturnType<typeof createBulk>;

/** Starts many sessions, puts them into a group or creates links for them: one run at a time. */
export function createBulk(
  store: Pick<Store, 'up' | 'rename' | 'createLink' | 'giveUpStart' | 'get' | 't' | 'changes' | 'notify'>,
) {
  /** The run that is shown. */
  const run = new Observable(NO_RUN);

  function move(numeros: readonly string[], stage: Step['stage'], result?: Step['result']): void {
    const { steps } = run.get();
    for (const numero of numeros) {
      // Setting an existing key would keep its old place in the order.
      steps.delete(numero);
      steps.set(numero, { stage, result });
    }
    run.set({ ...run.get() });
  }

  /** Undefined for a session that was deleted after its start. */
  function stageOf(numero: string, { stage }: Step): Stage | undefined {
    if (run.get().task !== 'start' || stage !== 'done') return stage;
    const record = store.get(numero);
    return record && (record.status.asks === 'nothing' ? 'connected' : 'done');
  }

  /** The sessions of the run in one of these stages, in the order in which they came to them. */
  function inStage(...stages: readonly (Stage | undefined)[]): readonly string[] {
    return [...run.get().steps].flatMap(([numero, step]) =>
      stages.includes(stageOf(numero, step)) ? numero : [],
    );
  }

  /** Tries some that failed again, in the same run. */
  function retry(numeros: readonly string[]): void {
    move(numeros, 'queued');
    actOnNext();
  }

  /** Asks for the next ones. Sessions that were deleted meanwhile, or are being deleted, leave the run. */
  function actOnNext(): void {
    const { steps } = run.get();
    for (const numero of inStage('queued')) {
      if (count('asked') === AT_ONCE) return;
      const { state = STATES.closing } = store.get(numero)?.session ?? {};
      if (state === STATES.closing) steps.delete(numero);
      else {
        move([numero], 'asked');
        void act(numero).then((result) => {
          // The run that asked may have been dismissed.
          if (run.get().steps === steps) answered(numero, result);
        });
      }
    }
  }

  async function act(numero: string): Promise<Step['result']> {
    const { task, group } = run.get();
    if (task === 'link') {
      const link = await store.createLink(numero, REPLACE_KEY);
      return link instanceof Error ? link : link.url;
    }
    const { error } = await (task === 'start'
      ? store.up(numero, REPLACE_KEY)
      : store.rename(numero, { group }, REPLACE_KEY));
    return error ?? group;
  }

  function answered(numero: string, result: Step['result']): void {
    move([numero], result instanceof Error ? 'failed' : 'done', result);
    actOnNext();
    if (count('queued', 'asked', 'unanswered') === 0 && count('failed') > 0)
      store.notify('negative', text(), REPLACE_KEY);
  }

  /** How many sessions are in one of these stages. */
  const count = (...stages: readonly Stage[]): number => inStage(...stages).length;

  const isRunning = (): boolean => count('queued', 'asked') > 0;

  /** With how many sessions the run has come to an end, deleted ones included. */
  const ended = (): number => run.get().steps.size - count('queued', 'asked', 'unanswered', 'skipped');

  /** How far the run has come, or what became of its sessions, in a sentence. */
  function text(): string {
    const { task, steps } = run.get();
    const { t } = store;
    if (isRunning()) return t(texts.tasks[task], ended(), steps.size);
    const some = (words: Parameters<typeof t>[0], stage: Stage) => {
      const number = count(stage);
      return number > 0 && t(words, number);
    };
    return [
      // Told in any case.
      t(RESULTS[task], count(task === 'start' ? 'connected' : 'done')),
      task === 'start' && some(texts.notYet, 'done'),
      some(texts.failedCount, 'failed'),
      some(texts.unansweredCount, 'unanswered'),
      some(texts.unstarted, 'skipped'),
    ]
      .filter(Boolean)
      .join('; ');
  }

  return {
    run,
    inStage,
    isRunning,
    ended,
    text,
    retry,

    /** Follows the sessions of the run, which connect, drop or are deleted; returns the function that stops it. */
    follow: () =>
      store.changes.add(({ numero, before, now }) => {
        const shown = run.get();
        if (shown.steps.has(numero) && before?.status.asks !== now?.status.asks) run.set({ ...shown });
      }),

    /** Begins a run, unless one is under way. */
    begin(task: Task, numeros: readonly string[], group?: string): void {
      if (isRunning()) return;
      run.set({ task, group, steps: new Map() });
      retry(numeros);
    },

    /** Ends the run: begins no more, aborts the starts whose answer is late, and waits for no other. */
    stop(): void {
      const asked = inStage('asked');
      move(inStage('queued'), 'skipped');
      move(asked, 'unanswered');
      if (run.get().task === 'start') asked.forEach(store.giveUpStart);
    },

    /** Hides the run. */
    dismiss: () => run.set(NO_RUN),
  };
}
