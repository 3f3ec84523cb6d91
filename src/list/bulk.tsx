import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { GroupOptions } from '../card/name-form.tsx';
import { type Selection, useObservable, usePanel } from '../context/panel-context.ts';
import { Observable } from '../observable.ts';
import { bucketsOf } from '../session/counts.ts';
import { nameOf } from '../session/record.ts';
import type { Store } from '../store/store.ts';
import * as texts from '../texts/sentences.ts';
import type { Translate } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { copyWithNotice } from '../ui/clipboard.ts';
import { icons } from '../ui/icons.tsx';
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
      store.notify({ kind: 'negative', text: told().join(', '), replaceKey: REPLACE_KEY });
  }

  function isRunning(): boolean {
    const now = run.get();
    return !!now && !now.isStopped && now.left.size > 0;
  }

  /** How far the run has come, and how many failed: the sessions themselves show what has become of them. */
  function told(): readonly string[] {
    const now = run.get();
    if (!now) return [];
    const { t } = store;
    const { task, left, failed, results } = now;
    const sentence = task === 'start' && isRunning() ? texts.starting : texts.tasks[task];
    const pending = !isRunning() && left.size > 0 ? `, ${t(texts.unfinished, left.size)}` : '';
    return [
      t(sentence, results.size, results.size + failed.size + left.size) + pending,
      ...(failed.size > 0 ? [t(texts.failedCount, failed.size)] : []),
    ];
  }

  return {
    run,
    isRunning,
    told,

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

const focus = (field: HTMLElement | null) => field?.focus();

/** Escape ends something, unless it has closed a row, a form or a menu. */
export function onEscape(event: KeyboardEvent, end: () => void): void {
  if (event.key !== 'Escape' || event.isDefaultPrevented()) return;
  event.preventDefault();
  end();
}

interface Props {
  readonly arrangement: Arrangement;
  readonly selection: Selection;
  /** Whether something may be done with what is selected. */
  readonly isSelecting: boolean;
  readonly bulk: Bulk;
}

/** Stays in sight at the end of the list while sessions are selected or a run is shown, which takes the place of the actions. */
export function BulkPill({ arrangement, selection, isSelecting, bulk }: Props) {
  const { may } = usePanel();
  const selected = useObservable(selection.selected);
  const run = useObservable(bulk.run);
  const isAllowed = !!run && may(run.task);
  useEffect(() => (isAllowed ? bulk.stop : undefined), [bulk, isAllowed]);
  // All of its sessions may have been deleted.
  const isShown = isAllowed && run.left.size + run.failed.size + run.results.size > 0;
  const items = sessionsIn(arrangement).filter(({ numero }) => isSelecting && selected.has(numero));
  if (!isShown && items.length === 0) return null;
  const end = isShown ? bulk.dismiss : selection.clear;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to its controls
    <div
      className="bulk"
      // When it goes, its focus goes to the session that was selected first.
      data-numero={[...selected][0]}
      // A click meant for one button must not meet another.
      onClickCapture={ignoreSecondClick}
      onKeyDown={(event) => !bulk.isRunning() && onEscape(event, end)}
    >
      {isShown ? (
        <Progress run={run} bulk={bulk} />
      ) : (
        <Actions arrangement={arrangement} selection={selection} items={items} bulk={bulk} />
      )}
    </div>
  );
}

type Words = Parameters<Translate>[0];

interface ActionsProps extends Omit<Props, 'isSelecting'> {
  /** Those that are selected. */
  readonly items: ReturnType<typeof sessionsIn>;
}

/** What can be done with the selected sessions. They cannot be deleted together. */
function Actions({ arrangement, selection, items, bulk }: ActionsProps) {
  const { store, t, may } = usePanel();
  const [isGrouping, setGrouping] = useState(false);
  const id = useId();
  // Renders anew when a session can be started, or has been.
  useObservable(store.counts);
  const chosen = items.map(({ numero }) => numero);
  const visible = visibleIn(arrangement);
  const areAllVisible = visible.length === sessionsIn(arrangement).length;
  const unseen = isFiltered(arrangement) ? items.filter(({ visible }) => !visible).length : 0;
  const restartable = store.records
    .filter(({ status }) => bucketsOf(status).includes('restartable'))
    .map(({ session }) => session.numero);
  // A session that is connected needs no link.
  const linkable = chosen.filter((numero) => store.get(numero)?.status.asks !== 'nothing');
  const offer = (text: Words, some: readonly string[], act: () => void, className?: string) =>
    some.length > 0 && (
      <Button className={className} onClick={act}>
        {t(text, some.length)}
      </Button>
    );
  const offerToSelect = (text: Words, some: readonly string[], select: Selection['add']) =>
    some.some((numero) => !selection.selected.get().has(numero)) && offer(text, some, () => select(some));
  const group = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('group')).trim();
    if (name) bulk.begin('label', chosen, name);
  };
  return (
    <>
      <p role="status" tabIndex={-1}>
        {t(unseen === 0 ? texts.selected : texts.selectedUnseen, chosen.length, unseen)}
      </p>
      {isGrouping && (
        // Not rendered, it would lose what was typed.
        <form
          hidden={!may('label')}
          onSubmit={group}
          onKeyDown={(event) => onEscape(event, () => setGrouping(false))}
        >
          <input
            ref={focus}
            name="group"
            aria-label={t(texts.group)}
            placeholder={t(texts.group)}
            autoComplete="off"
            maxLength={LONGEST_NAME}
            list={id}
          />
          <GroupOptions id={id} />
          <Button type="submit" className="filled">
            {t(texts.groupSelected, chosen.length)}
          </Button>
          <Button onClick={() => setGrouping(false)}>{t(texts.cancel)}</Button>
        </form>
      )}
      {!(isGrouping && may('label')) && (
        <>
          {may('start') && offer(texts.startSelected, chosen, () => bulk.begin('start', chosen), 'filled')}
          {may('label') && offer(texts.groupMany, chosen, () => setGrouping(true), 'outlined')}
          {may('link') && offer(texts.linkSelected, linkable, () => bulk.begin('link', linkable), 'outlined')}
          {offerToSelect(areAllVisible ? texts.selectAll : texts.selectVisible, visible, selection.add)}
          {may('start') && offerToSelect(texts.selectRestartable, restartable, selection.set)}
          <Button
            className="icon"
            title={t(texts.unselect)}
            // The mouse leaves the focus where it is: the list is not scrolled.
            onMouseDown={(event) => event.preventDefault()}
            onClick={selection.clear}
          >
            {icons.close}
          </Button>
        </>
      )}
    </>
  );
}

/** How far a run has come, and what can be done next. Screen readers hear the notices of its calls instead. */
function Progress({ run, bulk }: { run: Run; bulk: Bulk }) {
  const { store, t } = usePanel();
  const shownLinks = useRef<HTMLPreElement>(null);
  const { task, left, failed, results } = run;
  const isRunning = bulk.isRunning();
  const ended = failed.size + results.size;
  const [progress, failures] = bulk.told();
  const rows = [...results].map(([numero, url]) => [nameOf(store.get(numero)) ?? '', numero, url]);
  const links = task === 'link' && !isRunning && list(rows);
  return (
    <>
      {isRunning && <i className="bulk-run" style={{ width: `${(100 * ended) / (ended + left.size)}%` }} />}
      <p tabIndex={-1}>
        {progress} {failures && <b data-asks="act">{failures}</b>}
      </p>
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
      <Button key={String(isRunning)} className="outlined" onClick={isRunning ? bulk.stop : bulk.dismiss}>
        {t(isRunning ? texts.stop : texts.close)}
      </Button>
    </>
  );
}
