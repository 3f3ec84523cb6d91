import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
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
import { ignoreSecondClick, onEscape } from '../ui/input.ts';
import { LONGEST_NAME, STATES } from '../wire.ts';
import { type Arrangement, isConnected, sessionsIn, visibleIn } from './arrange.ts';

/** The notices of a run replace each other: a hundred starts must not be a hundred notices. */
const REPLACE_KEY = 'bulk';

/** What can be done to each session: what the user may do. */
export const TASKS = ['start', 'label', 'link'] as const;

type Task = (typeof TASKS)[number];

const CALLS = { start: 'up', label: 'rename', link: 'link' } as const;

/** A new object for each change. What is inside stays the same: it may have thousands of sessions. */
interface Run {
  readonly task: Task;
  /** Those whose call has not ended. */
  readonly left: Set<string>;
  readonly failed: Set<string>;
  /** What came of the others: the URL of a link, or nothing. */
  readonly results: Map<string, string>;
  readonly isStopped?: boolean;
}

/**
 * Where a spreadsheet may read a formula: before = + - @, or their full-width forms, at the beginning of a cell, which some
 * also begin after a semicolon and spaces or quotes.
 */
const FORMULA = /(?<=^|;["\s]*)(?=[=+\-@＝＋－＠])/g;

/** Rows of cells as a list to paste into a message or a spreadsheet. An apostrophe keeps cells from being formulas. */
export const list = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((text) => text.replace(/\s+/g, ' ').replace(FORMULA, "'")).join('\t')).join('\n');

const sizeOf = ({ left, failed, results }: Run): number => left.size + failed.size + results.size;

export const isRunning = (run: Run | undefined): boolean => !!run && !run.isStopped && run.left.size > 0;

/** How far a run has come, and how many failed: the sessions themselves show what has become of them. */
export function told(t: Translate, run: Run): readonly [progress: string, failures: string | false] {
  const { task, left, failed, results, isStopped } = run;
  const sentence = task === 'start' && isRunning(run) ? texts.starting : texts.tasks[task];
  const pending = isStopped && left.size > 0 ? `, ${t(texts.unfinished, left.size)}` : '';
  return [
    t(sentence, results.size, sizeOf(run)) + pending,
    failed.size > 0 && t(texts.failedCount, failed.size),
  ];
}

export type Bulk = ReturnType<typeof createBulk>;

/** Starts many sessions, puts them into a group or creates links for them: one run at a time. */
export function createBulk(store: Store) {
  /** Undefined before a run and after it was dismissed. */
  const run = new Observable<Run | undefined>(undefined);

  /** Those that were deleted meanwhile, or are being deleted, leave the run. */
  async function askInTurn(begun: Run, pending: Iterable<string>, group?: string): Promise<void> {
    const { task, left, failed, results } = begun;
    const isShown = () => run.get()?.left === left;
    for (const numero of pending) {
      if (!isShown() || !isRunning(run.get())) return;
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

  return {
    run,

    /**
     * Begins a run, unless one is under way.
     *
     * @param group - that the sessions are put into
     */
    begin(task: Task, numeros: readonly string[], group?: string): void {
      if (isRunning(run.get())) return;
      const begun: Run = { task, left: new Set(numeros), failed: new Set(), results: new Map() };
      const pending = begun.left.values();
      run.set(begun);
      // Three at a time: more would overload a server that opens a browser for each start.
      for (let turn = 0; turn < 3; turn += 1) void askInTurn(begun, pending, group);
    },

    /** Ends the run: begins no more, and waits for none that is under way, though each still counts. */
    stop(): void {
      const now = run.get();
      if (now && isRunning(now)) run.set({ ...now, isStopped: true });
    },

    dismiss: () => run.set(undefined),
  };
}

interface Props {
  readonly arrangement: Arrangement;
  readonly selection: Selection;
  /** Whether something may be done with what is selected. */
  readonly isSelecting: boolean;
  readonly bulk: Bulk;
}

/** Stays in sight at the end of the list while sessions are selected or a run is shown, which takes the place of the actions. */
export function BulkPill(props: Props) {
  const { arrangement, selection, isSelecting, bulk } = props;
  const { may } = usePanel();
  const selected = useObservable(selection.selected);
  const run = useObservable(bulk.run);
  const isShown = !!run && may(run.task);
  useEffect(() => (isShown ? bulk.stop : undefined), [bulk, isShown]);
  // Nothing is done to what the operator does not see.
  const chosen = visibleIn(arrangement).filter((numero) => isSelecting && selected.has(numero));
  if (!isShown && chosen.length === 0) return null;
  const end = isShown ? bulk.dismiss : selection.clear;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to its controls
    <div
      className="bulk"
      // When it goes, its focus goes to the session that was selected first.
      data-numero={[...selected][0]}
      // A click meant for one button must not meet another.
      onClickCapture={ignoreSecondClick}
      onKeyDown={(event) => !isRunning(run) && onEscape(event, end)}
    >
      {isShown ? <Progress run={run} bulk={bulk} /> : <Actions chosen={chosen} {...props} />}
    </div>
  );
}

/** What can be done with the selected sessions. They cannot be deleted together. */
function Actions({ arrangement, selection, chosen, bulk }: Props & { chosen: readonly string[] }) {
  const { store, t, may } = usePanel();
  const [isGrouping, setGrouping] = useState(false);
  const id = useId();
  // Renders anew when a session can be started, or has been.
  useObservable(store.counts);
  const visible = visibleIn(arrangement);
  const areAllVisible = visible.length === sessionsIn(arrangement).length;
  const restartable = visible.filter((numero) => {
    const record = store.get(numero);
    return record && bucketsOf(record.status).includes('restartable');
  });
  // A session that is connected needs no link.
  const linkable = chosen.filter((numero) => !isConnected(store.get(numero)));
  const begin = (task: Task) => (numeros: readonly string[]) => bulk.begin(task, numeros);
  const offer = (
    text: Parameters<Translate>[0],
    some: readonly string[],
    act: (some: readonly string[]) => void,
    className = 'outlined',
  ) =>
    some.length > 0 && (
      <Button className={className} onClick={() => act(some)}>
        {t(text, some.length)}
      </Button>
    );
  const group = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('group')).trim();
    if (name) bulk.begin('label', chosen, name);
  };
  return (
    <>
      <p role="status" tabIndex={-1}>
        {t(texts.selected, chosen.length)}
      </p>
      {isGrouping && may('label') ? (
        <form onSubmit={group} onKeyDown={(event) => onEscape(event, () => setGrouping(false))}>
          <input
            // biome-ignore lint/a11y/noAutofocus: the operator has asked for it
            autoFocus
            name="group"
            placeholder={t(texts.group)}
            autoComplete="off"
            maxLength={LONGEST_NAME}
            list={id}
          />
          <GroupOptions id={id} />
          <Button type="submit" className="filled">
            {t(texts.groupSelected, chosen.length)}
          </Button>
          <Button className="muted" onClick={() => setGrouping(false)}>
            {t(texts.cancel)}
          </Button>
        </form>
      ) : (
        <>
          {may('start') && offer(texts.startSelected, chosen, begin('start'), 'filled')}
          {may('label') && offer(texts.groupMany, chosen, () => setGrouping(true))}
          {may('link') && offer(texts.linkSelected, linkable, begin('link'))}
          {offer(areAllVisible ? texts.selectAll : texts.selectVisible, visible, selection.add, 'muted')}
          {may('start') && offer(texts.selectRestartable, restartable, selection.set, 'muted')}
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

/** How far a run has come, and what can be done next. Screen readers hear the notices of its calls, and how it ended. */
function Progress({ run, bulk }: { run: Run; bulk: Bulk }) {
  const { store, t } = usePanel();
  const shownLinks = useRef<HTMLPreElement>(null);
  const { task, left, results } = run;
  const running = isRunning(run);
  const [progress, failures] = told(t, run);
  const rows = [...results].map(([numero, url]) => [nameOf(store.get(numero)) ?? '', numero, url]);
  const links = task === 'link' && !running && list(rows);
  return (
    <>
      {running && <i className="freshness" style={{ scale: `${1 - left.size / sizeOf(run)} 1` }} />}
      <p role="status" aria-live={running ? 'off' : undefined} tabIndex={-1}>
        {progress} {failures && <span data-asks="act">{failures}</span>}
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
      <Button key={String(running)} className="outlined" onClick={running ? bulk.stop : bulk.dismiss}>
        {t(running ? texts.stop : texts.close)}
      </Button>
    </>
  );
}
