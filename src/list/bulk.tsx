import { type FormEvent, useEffect, useId, useRef } from 'react';
import { GroupOptions } from '../card/name-form.tsx';
import { type Selection, useObservable, usePanel, useSelector } from '../context/panel-context.ts';
import { Observable } from '../observable.ts';
import { bucketsOf } from '../session/counts.ts';
import { nameOf } from '../session/record.ts';
import type { Store } from '../store/store.ts';
import * as texts from '../texts/sentences.ts';
import type { Sentence } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { copyWithNotice } from '../ui/clipboard.ts';
import { ignoreSecondClick } from '../ui/input.ts';
import { LONGEST_NAME, STATES } from '../wire.ts';
import { type Arrangement, isFiltered, sessionsIn, visibleIn } from './arrange.ts';
import { list } from './export.ts';

/** How many calls are under way at a time: more would overload a server that opens a browser for each start. */
const AT_ONCE = 3;

/** The notices of a run replace each other: a hundred starts must not be a hundred notices. */
const REPLACE_KEY = 'bulk';

/** What can be done to each session: what the user may do. */
export const TASKS = ['start', 'label', 'link'] as const;

type Task = (typeof TASKS)[number];

const CALLS = { start: 'up', label: 'rename', link: 'link' } as const;

/** A new object for each change. What is inside stays the same: it may have thousands of sessions. */
interface Run {
  readonly task: Task;
  /** Those whose call has not ended: those at the beginning are under way. */
  readonly left: Set<string>;
  readonly failed: Set<string>;
  /** What came of the others: the URL of a link, or nothing. */
  readonly results: Map<string, string>;
  readonly isStopped?: boolean;
}

export type Bulk = ReturnType<typeof createBulk>;

/** Starts many sessions, puts them into a group or creates links for them: one run at a time. */
export function createBulk(store: Store) {
  /** Undefined before a run and after it was dismissed. */
  const run = new Observable<Run | undefined>(undefined);

  async function work({ task, left, failed, results }: Run, group?: string): Promise<void> {
    const isShown = () => run.get()?.left === left;
    const pending = left.values();

    /** Those that were deleted meanwhile, or are being deleted, leave the run. */
    async function askInTurn(): Promise<void> {
      for (const numero of pending) {
        if (!isShown() || !isRunning()) return;
        const { state = STATES.closing } = store.get(numero)?.session ?? {};
        if (state !== STATES.closing) {
          const { error, link } = await store.run(CALLS[task], numero, { group }, REPLACE_KEY);
          if (error) failed.add(numero);
          else results.set(numero, link?.url ?? '');
        }
        left.delete(numero);
        const now = run.get();
        if (now && isShown()) run.set({ ...now });
      }
    }

    await Promise.all(new Array(AT_ONCE).fill(undefined).map(askInTurn));
    if (isShown() && failed.size > 0)
      store.notify({ kind: 'negative', text: text(), replaceKey: REPLACE_KEY });
  }

  function isRunning(): boolean {
    const now = run.get();
    return !!now && !now.isStopped && now.left.size > 0;
  }

  /** How far the run has come: the sessions themselves show what has become of them. */
  function text(): string {
    const now = run.get();
    if (!now) return '';
    const { t } = store;
    const { task, left, failed, results } = now;
    return [
      t(texts.tasks[task], results.size, results.size + failed.size + left.size),
      failed.size > 0 && t(texts.failedCount, failed.size),
      !isRunning() && left.size > 0 && t(texts.unfinished, left.size),
    ]
      .filter(Boolean)
      .join(', ');
  }

  return {
    run,
    isRunning,
    text,

    /**
     * Begins a run, unless one is under way, or it would be over nothing.
     *
     * @param group - that the sessions are put into
     */
    begin(task: Task, numeros: readonly string[], group?: string): void {
      if (isRunning() || numeros.length === 0) return;
      const begun: Run = { task, left: new Set(numeros), failed: new Set(), results: new Map() };
      run.set(begun);
      void work(begun, group);
    },

    /** Ends the run: begins no more, aborts its starts whose answer is late, and waits for no other, though each still counts. */
    stop(): void {
      const now = run.get();
      if (!now || !isRunning()) return;
      if (now.task === 'start') for (const one of [...now.left].slice(0, AT_ONCE)) store.giveUpStart(one);
      run.set({ ...now, isStopped: true });
    },

    dismiss: () => run.set(undefined),
  };
}

interface BarProps {
  readonly arrangement: Arrangement;
  readonly selection: Selection;
  readonly bulk: Bulk;
}

/** What can be done with the selected sessions. They cannot be deleted together. */
export function BulkBar({ arrangement, selection, bulk }: BarProps) {
  const { store, t, may } = usePanel();
  const selected = useObservable(selection.selected);
  const running = useSelector(bulk.run, bulk.isRunning);
  const counts = useObservable(store.counts);
  const id = useId();
  const visible = visibleIn(arrangement);
  const all = sessionsIn(arrangement);
  const items = all.filter(({ numero }) => selected.has(numero));
  const chosen = items.map(({ numero }) => numero);
  // A session that is connected needs no link.
  const linkable = chosen.filter((numero) => store.get(numero)?.status.asks !== 'nothing');
  const unseen = isFiltered(arrangement) ? items.filter(({ visible }) => !visible).length : 0;

  const selectRestartable = () => {
    const restartable = store.records.filter(({ status }) => bucketsOf(status).includes('restartable'));
    selection.add(restartable.map(({ session }) => session.numero));
  };
  const isDisabled = (some: readonly string[]) => some.length === 0 || running;
  const beginButton = (task: Task, some: readonly string[], className: string, text: Sentence) =>
    may(task) && (
      <Button className={className} aria-disabled={isDisabled(some)} onClick={() => bulk.begin(task, some)}>
        {t(text, some.length)}
      </Button>
    );
  const group = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('group')).trim();
    if (name) bulk.begin('label', chosen, name);
  };

  return (
    <div className="bulk">
      {may('start') && (
        <Button className="outlined" onClick={selectRestartable}>
          {t(texts.selectRestartable, counts.restartable)}
        </Button>
      )}
      <Button className="outlined" onClick={() => selection.add(visible)}>
        {t(visible.length < all.length ? texts.selectVisible : texts.selectAll, visible.length)}
      </Button>
      <Button onClick={selection.clear}>{t(texts.unselect)}</Button>
      <p role="status">{t(unseen === 0 ? texts.selected : texts.selectedUnseen, chosen.length, unseen)}</p>
      {beginButton('start', chosen, 'filled', texts.startSelected)}
      {beginButton('link', linkable, 'outlined', texts.linkSelected)}
      {/* Not rendered, it would lose what was typed. */}
      <form hidden={!may('label')} onSubmit={group}>
        <input
          name="group"
          aria-label={t(texts.group)}
          placeholder={t(texts.group)}
          autoComplete="off"
          maxLength={LONGEST_NAME}
          list={id}
        />
        <GroupOptions id={id} />
        <Button type="submit" className="outlined" aria-disabled={isDisabled(chosen)}>
          {t(texts.groupSelected, chosen.length)}
        </Button>
      </form>
    </div>
  );
}

/** How far a run has come, and what can be done next. Screen readers hear the notices of its calls instead. */
export function BulkProgress({ bulk }: { bulk: Bulk }) {
  const { store, t, may } = usePanel();
  const shownLinks = useRef<HTMLPreElement>(null);
  const run = useObservable(bulk.run);
  const isAllowed = !!run && may(run.task);
  useEffect(() => (isAllowed ? bulk.stop : undefined), [bulk, isAllowed]);
  if (!isAllowed) return null;
  const { task, left, failed, results } = run;
  // All of its sessions may have been deleted.
  if (left.size + failed.size + results.size === 0) return null;
  const running = bulk.isRunning();
  const rows = [...results].map(([numero, url]) => [nameOf(store.get(numero)) ?? '', numero, url]);
  const links = task === 'link' && !running && list(rows);

  return (
    // A click meant for one button must not meet another.
    <div className="bulk" onClickCapture={ignoreSecondClick}>
      {running && (
        <Button className="outlined" onClick={bulk.stop}>
          {t(texts.stop)}
        </Button>
      )}
      <p tabIndex={-1}>{bulk.text()}</p>
      {links && (
        <>
          <pre ref={shownLinks} className="visually-hidden">
            {links}
          </pre>
          <Button
            className="filled"
            onClick={({ currentTarget }) => copyWithNotice(store, links, shownLinks.current, currentTarget)}
          >
            {t(texts.copy)}
          </Button>
        </>
      )}
      {!running && <Button onClick={bulk.dismiss}>{t(texts.close)}</Button>}
    </div>
  );
}
