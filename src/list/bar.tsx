import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { usePanel, useSelector } from '../panel-context.ts';
import { sectionOf } from '../session/sections.ts';
import * as texts from '../texts.ts';
import { focusFallback } from '../ui/focus.ts';
import { downloadIcon, plusIcon, toolsIcon } from '../ui/icons.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { exportSessions } from './export.ts';
import { NO_FILTER } from './filter.ts';
import { type Choice, type ListState, visibleIn } from './list-view.ts';

/** The buckets that have a counter, with the badge of the states that they count. */
const COUNTERS = [
  { bucket: 'ok', asks: 'nothing' },
  { bucket: 'waiting', asks: 'wait' },
  { bucket: 'attention', asks: 'act' },
  { bucket: 'dropped', asks: 'act' },
] as const;

/** A ref that tells the style sheet the bar's height: what gets the focus or is scrolled to must not end up below it. */
function publishHeight(bar: HTMLElement | null): (() => void) | undefined {
  const panel = bar?.closest<HTMLElement>('.panel');
  if (!bar || !panel) return;
  const observer = new ResizeObserver(() => panel.style.setProperty('--_bar', `${bar.offsetHeight}px`));
  observer.observe(bar);
  return () => {
    observer.disconnect();
    panel.style.removeProperty('--_bar');
  };
}

/** What stays in sight wherever the list is scrolled to. */
export function Bar({ children }: { children: ReactNode }) {
  return (
    <div ref={publishHeight} className="bar" part="bar">
      {children}
    </div>
  );
}

interface ChoiceProps {
  readonly state: ListState;
  readonly onChoose: (choice: Partial<Choice>) => void;
}

interface FinderProps extends ChoiceProps {
  /** Whether sessions may have names and groups. */
  readonly hasNames: boolean;
  readonly selecting: boolean;
  readonly onSelecting: () => void;
}

/**
 * Says how many sessions are well and which are not, and finds sessions among many: by text, by what they ask of the
 * operator, by group and by order.
 */
export function Finder({ state, hasNames, selecting, onChoose, onSelecting }: FinderProps) {
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
          const count = counts[bucket];
          if (bucket === 'dropped' && count === 0 && !pressed) return null;
          const words = (count === 1 ? texts.bucketsOfOne : texts.buckets)[bucket];
          return (
            <Toggle
              key={bucket}
              data-bucket={bucket}
              data-asks={asks}
              aria-pressed={pressed}
              onClick={() => onChoose({ bucket: pressed ? undefined : bucket })}
            >
              {/* The number is always there; where there is little room, the words are for screen readers. */}
              {bucket === 'ok' ? (
                <>
                  <b>{texts.of(count, numeros.length)}</b>
                  <span> {words}</span>
                </>
              ) : (
                <>
                  <span>{words} </span>
                  <b>{count}</b>
                  {bucket === 'dropped' && <span>{texts.look}</span>}
                </>
              )}
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
          onChange={(event) => onChoose({ query: event.target.value })}
        />
        {hasSections && <SectionSelect state={state} onChoose={onChoose} />}
        <select
          aria-label={texts.order}
          value={order}
          onChange={({ target }) =>
            onChoose({ order: target.value === 'attention' ? 'attention' : 'server' })
          }
        >
          <option value="server">{texts.serverOrder}</option>
          <option value="attention">{texts.attentionFirst}</option>
        </select>
        <Toggle
          aria-pressed={state.view === 'list'}
          onClick={() => onChoose({ view: state.view === 'list' ? 'cards' : 'list' })}
        >
          {texts.list}
        </Toggle>
        <Toggle aria-pressed={selecting} onClick={onSelecting}>
          {texts.select}
        </Toggle>
        {hasNames && (
          <Toggle
            className="icon toggle"
            title={texts.exportList}
            aria-label={texts.exportList}
            onClick={() => exportSessions(visibleIn(state).flatMap((numero) => store.get(numero) ?? []))}
          >
            {downloadIcon}
          </Toggle>
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
    </div>
  );
}

/** Shows one group of sessions only. There while a session has a group, or one is chosen. */
function SectionSelect({ state: { filter }, onChoose }: ChoiceProps) {
  const sections = useSelector(usePanel().store.sections, (all) => all);
  const chosen = filter.section;
  const offered = new Map(sections);
  // Its last session may have left it.
  if (chosen !== undefined && !offered.has(sectionOf(chosen)))
    offered.set(sectionOf(chosen), { name: chosen, total: 0, attention: 0 });
  // A sign before their names: the value of all groups is no group's name.
  const optionOf = (name: string) => `=${name}`;
  return (
    <select
      ref={focusFallback}
      aria-label={texts.group}
      value={chosen === undefined ? '' : optionOf(offered.get(sectionOf(chosen))?.name ?? '')}
      onChange={({ target: { value } }) => onChoose({ section: value ? value.slice(1) : undefined })}
    >
      <option value="">{texts.allGroups}</option>
      {Array.from(offered.values(), ({ name, total, attention }) => (
        <option key={name} value={optionOf(name)}>
          {texts.groupOf(name || texts.noGroup, total, attention)}
        </option>
      ))}
    </select>
  );
}

/** How many are found. */
export function Found({ state: { numeros, found }, onChoose }: ChoiceProps) {
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
            onChoose(NO_FILTER);
          }}
        >
          <p>{texts.noMatch}</p>
        </MessageBox>
      )}
    </>
  );
}

/** A button of the bar. With `aria-pressed` it stays pressed until it is pressed again. */
function Toggle(props: ComponentProps<'button'>) {
  return <button ref={focusFallback} type="button" className="toggle" {...props} />;
}
