import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Operable, usePanel, useSelector } from '../panel-context.ts';
import { type Sections, sectionOf } from '../session/sections.ts';
import type { Asks } from '../session/states.ts';
import * as texts from '../texts.ts';
import { focusFallback } from '../ui/focus.ts';
import { downloadIcon, plusIcon, toolsIcon } from '../ui/icons.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { exportSessions } from './export.ts';
import { NO_FILTER } from './filter.ts';
import { type ListState, type ListView, visibleIn } from './list-view.ts';

/** The buckets that have a counter, with the badge of the states that they count. */
const COUNTERS = [
  { bucket: 'ok', asks: 'nothing' },
  { bucket: 'waiting', asks: 'wait' },
  { bucket: 'attention', asks: 'act' },
  { bucket: 'dropped', asks: 'act' },
] as const;

/** Tells the style sheet how high the bar is: what the focus or a script scrolls to must not end up below it. */
function useHeight(bar: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = bar.current;
    const panel = element?.closest<HTMLElement>('.panel');
    if (!element || !panel) return;
    const observer = new ResizeObserver(() => panel.style.setProperty('--_bar', `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      panel.style.removeProperty('--_bar');
    };
  }, [bar]);
}

/** What stays in sight wherever one has scrolled. */
export function Bar({ children }: { children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  useHeight(bar);
  return (
    <div ref={bar} className="bar" part="bar">
      {children}
    </div>
  );
}

interface FinderProps {
  readonly view: ListView;
  readonly state: ListState;
  /** Whether sessions may have names and groups. */
  readonly hasNames: boolean;
  readonly selecting: boolean;
  readonly onSelecting: () => void;
}

/**
 * Says how many sessions are well and which are not, and finds sessions among many: by text, by what they ask of the
 * operator, and by order.
 */
export function Finder({ view, state, hasNames, selecting, onSelecting }: FinderProps) {
  const { store, dialog } = usePanel();
  const { filter, order, numeros } = state;
  const counts = useSelector(store.counts, (all) => all);
  const sections = useSelector(store.sections, (all) => all);
  const hasSections = sections.size > 0 || filter.section !== undefined;
  const [open, setOpen] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  useShortcuts(search, {
    '/': () => {
      flushSync(() => setOpen(true));
      search.current?.focus();
    },
  });

  return (
    <div
      ref={focusFallback}
      className="bar-line"
      data-open={open || undefined}
      data-sections={hasSections || undefined}
    >
      <div className="bar-counters">
        {COUNTERS.map(({ bucket, asks }) => {
          const pressed = filter.bucket === bucket;
          if (bucket === 'dropped' && counts.dropped === 0 && !pressed) return null;
          return (
            <Toggle
              key={bucket}
              bucket={bucket}
              asks={asks}
              pressed={pressed}
              onToggle={() => view.setFilter({ bucket: pressed ? undefined : bucket })}
            >
              <Counter bucket={bucket} count={counts[bucket]} total={numeros.length} />
            </Toggle>
          );
        })}
      </div>
      <search className="bar-tools">
        <input
          ref={search}
          type="search"
          aria-label={texts.search}
          autoComplete="off"
          spellCheck={false}
          placeholder={hasNames ? texts.searchNamesHint : texts.searchHint}
          value={filter.query}
          onChange={(event) => view.setFilter({ query: event.target.value })}
        />
        {hasSections && <SectionSelect view={view} sections={sections} chosen={filter.section} />}
        <select
          aria-label={texts.order}
          value={order}
          onChange={({ target }) =>
            view.choose({ order: target.value === 'attention' ? 'attention' : 'server' })
          }
        >
          <option value="server">{texts.serverOrder}</option>
          <option value="attention">{texts.attentionFirst}</option>
        </select>
        <Toggle
          pressed={state.view === 'list'}
          onToggle={() => view.choose({ view: state.view === 'list' ? 'cards' : 'list' })}
        >
          {texts.list}
        </Toggle>
        <Operable>
          <Toggle pressed={selecting} onToggle={onSelecting}>
            {texts.select}
          </Toggle>
        </Operable>
        {hasNames && (
          <button
            ref={focusFallback}
            type="button"
            className="icon toggle"
            title={texts.exportList}
            aria-label={texts.exportList}
            onClick={() => exportSessions(visibleIn(state).flatMap((numero) => store.get(numero) ?? []))}
          >
            {downloadIcon}
          </button>
        )}
      </search>
      <button
        type="button"
        className="icon bar-more"
        title={texts.tools}
        aria-label={texts.tools}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {toolsIcon}
      </button>
      <Operable>
        <button
          type="button"
          className="tonal bar-add"
          title={texts.add}
          aria-label={texts.addConfirm}
          aria-haspopup="dialog"
          onClick={() => dialog.set({ kind: 'add' })}
        >
          {plusIcon}
        </button>
      </Operable>
    </div>
  );
}

interface SectionSelectProps {
  readonly view: ListView;
  readonly sections: Sections;
  readonly chosen: string | undefined;
}

/** Shows one group of sessions only. There while a session has a group, or one is chosen. */
function SectionSelect({ view, sections, chosen }: SectionSelectProps) {
  // The last session of the one that is chosen may have left it.
  const shown =
    chosen === undefined ? [] : [sections.get(sectionOf(chosen)) ?? { name: chosen, total: 0, attention: 0 }];
  const offered = new Set([...sections.values(), ...shown]);
  // A sign before their names: the value of all groups is no group's name.
  return (
    <select
      ref={focusFallback}
      aria-label={texts.group}
      value={shown.map(({ name }) => `=${name}`).join()}
      onChange={({ target: { value } }) => view.setFilter({ section: value ? value.slice(1) : undefined })}
    >
      <option value="">{texts.allGroups}</option>
      {Array.from(offered, ({ name, total, attention }) => (
        <option key={name} value={`=${name}`}>
          {texts.groupOf(name || texts.noGroup, total, attention)}
        </option>
      ))}
    </select>
  );
}

/** How many are found. */
export function Found({ view, state: { numeros, found } }: Pick<FinderProps, 'view' | 'state'>) {
  return (
    <>
      <p className="bar-results" role="status">
        {found && texts.found(found.size, numeros.length)}
      </p>
      {found?.size === 0 && (
        <MessageBox
          action={texts.showAll}
          onAction={({ currentTarget }) => {
            currentTarget.closest('.main')?.querySelector<HTMLElement>('[type="search"]')?.focus();
            view.setFilter(NO_FILTER);
          }}
        >
          <p>{texts.noMatch}</p>
        </MessageBox>
      )}
    </>
  );
}

interface CounterProps {
  readonly bucket: keyof typeof texts.buckets;
  readonly count: number;
  readonly total: number;
}

/** The number is always there; where there is little room, the words are for screen readers. */
function Counter({ bucket, count, total }: CounterProps) {
  const words = (count === 1 ? texts.bucketsOfOne : texts.buckets)[bucket];
  return bucket === 'ok' ? (
    <>
      <b>{texts.of(count, total)}</b>
      <span> {words}</span>
    </>
  ) : (
    <>
      <span>{words} </span>
      <b>{count}</b>
      {bucket === 'dropped' && <span>{texts.look}</span>}
    </>
  );
}

interface ToggleProps {
  readonly pressed: boolean;
  readonly onToggle: () => void;
  /** What it counts, with the badge of the states that ask for this. */
  readonly bucket?: keyof typeof texts.buckets;
  readonly asks?: Asks;
  readonly children: ReactNode;
}

/** A button that stays pressed until it is pressed again. */
function Toggle({ pressed, onToggle, bucket, asks, children }: ToggleProps) {
  return (
    <button
      ref={focusFallback}
      type="button"
      className="toggle"
      data-bucket={bucket}
      data-asks={asks}
      aria-pressed={pressed}
      onClick={onToggle}
    >
      {children}
    </button>
  );
}
