import { Observable } from '../observable.ts';
import type { Store } from '../store/store.ts';
import * as texts from '../texts/sentences.ts';
import { STATES } from '../wire.ts';

/** How many calls are under way at a time: more would overload a server that opens a browser for each start. */
const AT_ONCE = 3;

/** The notices of a run replace each other: a hundred starts must not be a hundred notices. */
const REPLACE_KEY = 'bulk';

/** What can be done to each session: what the user may do. */
export const TASKS = ['start', 'label', 'link'] as const;

type Task = (typeof TASKS)[number];

/** A new object for each change. What is inside stays the same: it may have thousands of sessions. */
interface BulkRun {
  readonly task: Task;
  /** The group that the sessions are put into. */
  readonly group?: string | undefined;
  /** How many sessions it is over; 0 before a run and after it was dismissed. */
  readonly total: number;
  readonly queue: string[];
  readonly asked: Set<string>;
  /** What the calls have made, by numero: the URL of a link, or nothing. */
  readonly done: Map<string, string>;
  readonly failed: number;
}

const noRun = (): BulkRun => ({
  task: 'start',
  total: 0,
  queue: [],
  asked: new Set(),
  done: new Map(),
  failed: 0,
});

export type Bulk = ReturnType<typeof createBulk>;

/** Starts many sessions, puts them into a group or creates links for them: one run at a time. */
export function createBulk(store: Store) {
  const run = new Observable(noRun());

  const change = (some: Partial<BulkRun>) => run.set({ ...run.get(), ...some });

  /** Asks for one session after the other. Those that were deleted meanwhile, or are being deleted, leave the run. */
  async function work(): Promise<void> {
    const { queue, asked, done } = run.get();
    for (let numero = queue.shift(); numero !== undefined; numero = queue.shift()) {
      const { state = STATES.closing } = store.get(numero)?.session ?? {};
      if (state === STATES.closing) {
        change({ total: run.get().total - 1 });
        continue;
      }
      asked.add(numero);
      const result = await act(numero);
      asked.delete(numero);
      // The run that asked may have been dismissed.
      if (run.get().done !== done) return;
      if (result instanceof Error) change({ failed: run.get().failed + 1 });
      else change({ done: done.set(numero, result) });
    }
    if (asked.size === 0 && run.get().failed > 0) store.notify('negative', text(), REPLACE_KEY);
  }

  async function act(numero: string): Promise<Error | string> {
    const { task, group } = run.get();
    if (task === 'link') {
      const link = await store.createLink(numero, REPLACE_KEY);
      return link instanceof Error ? link : link.url;
    }
    const { error } = await (task === 'start'
      ? store.up(numero, REPLACE_KEY)
      : store.rename(numero, { group }, REPLACE_KEY));
    return error ?? '';
  }

  function isRunning(): boolean {
    const { queue, asked } = run.get();
    return queue.length + asked.size > 0;
  }

  /** How far the run has come: the sessions themselves show what has become of them. */
  function text(): string {
    const { task, total, done, failed } = run.get();
    const { t } = store;
    const left = total - done.size - failed;
    return [
      t(texts.tasks[task], done.size, total),
      failed > 0 && t(texts.failedCount, failed),
      !isRunning() && left > 0 && t(texts.unfinished, left),
    ]
      .filter(Boolean)
      .join('; ');
  }

  return {
    run,
    isRunning,
    text,

    /** Begins a run, unless one is under way, or it would be over nothing. */
    begin(task: Task, numeros: readonly string[], group?: string): void {
      if (isRunning() || numeros.length === 0) return;
      run.set({ ...noRun(), task, group, total: numeros.length, queue: [...numeros] });
      for (let worker = 0; worker < AT_ONCE; worker += 1) void work();
    },

    /** Ends the run: begins no more, aborts the starts whose answer is late, and waits for no other, though each still counts. */
    stop(): void {
      const { task, queue, asked } = run.get();
      queue.length = 0;
      if (task === 'start') for (const numero of asked) store.giveUpStart(numero);
      change({ asked: new Set() });
    },

    dismiss: () => run.set(noRun()),
  };
}
