import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  createSelection,
  type Selection,
  useObservable,
  usePanel,
  useSelector,
} from '../context/panel-context.ts';
import { ORDERS } from '../settings.ts';
import * as texts from '../texts/sentences.ts';
import { Button } from '../ui/button.tsx';
import { downloadIcon, plusIcon, toolsIcon } from '../ui/icons.tsx';
import { FIELD, isElement, LAYER } from '../ui/input.ts';
import { time, useLate } from '../ui/time.ts';
import { type Arrangement, type Choice, isFiltered, sessionsIn, visibleIn } from './arrange.ts';
import { TASKS } from './bulk.tsx';
import { exportSessions } from './export.ts';
import { NO_FILTER } from './filter.ts';

/** The buckets that have a counter, and what their sessions ask of the operator, for its sign. */
const COUNTED = [
  ['ok', 'nothing'],
  ['waiting', 'wait'],
  ['attention', 'act'],
  ['dropped', 'act'],
] as const;

/**
 * A ref that tells the style sheet two things: the bar's height, since nothing may be scrolled or focused below the bar;
 * and whether the header is in sight, which has an add button of its own.
 */
export function followLayout(bar: HTMLElement | null): (() => void) | undefined {
  const panel = bar?.closest<HTMLElement>('.panel');
  const header = panel?.querySelector('.header');
  if (!bar || !panel || !header) return;
  const resizing = new ResizeObserver(() => panel.style.setProperty('--_bar', `${bar.offsetHeight}px`));
  const scrolling = new IntersectionObserver((entries) =>
    bar.toggleAttribute('data-below-header', entries.at(-1)?.isIntersecting),
  );
  resizing.observe(bar);
  scrolling.observe(header);
  return () => {
    resizing.disconnect();
    scrolling.disconnect();
  };
}

interface ChoiceProps {
  readonly arrangement: Arrangement;
  readonly onChoose: (choice: Choice) => void;
}

interface FinderProps extends ChoiceProps {
  /** Undefined while nothing is to be selected. */
  readonly selection: Selection | undefined;
  readonly onSelect: (selection: Selection | undefined) => void;
}

/**
 * Says how many sessions are well and which are not, and finds sessions among many: by text, by what they ask of the
 * operator, by group and by order.
 */
export function Finder({ arrangement, selection, onChoose, onSelect }: FinderProps) {
  const { store, t, dialog, may } = usePanel();
  const { query, bucket: chosenBucket, section: chosen, order, view } = arrangement;
  // Sessions may have names and groups.
  const hasNames = useSelector(store.snapshot, (now) => now.namedByHost || now.extensions.has('details'));
  const counts = useObservable(store.counts);
  const groups = new Map(useObservable(store.sections));
  // Its last session may have left it.
  if (chosen !== undefined && !groups.has(chosen))
    groups.set(chosen, { name: chosen, total: 0, attention: 0 });
  const [open, setOpen] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  useSlash(search, setOpen);

  return (
    <div className="bar-line" data-open={open || undefined}>
      <div className="bar-counters">
        {COUNTED.map(([bucket, asks]) => {
          const pressed = bucket === chosenBucket;
          const count = counts[bucket];
          if (bucket === 'dropped' && count === 0 && !pressed) return null;
          const words = t(texts.buckets[bucket], count);
          return (
            <Button
              key={bucket}
              className="toggle"
              data-bucket={bucket}
              data-asks={asks}
              aria-pressed={pressed}
              onClick={() => onChoose({ bucket: pressed ? undefined : bucket })}
            >
              {/* In narrow bars the words are for screen readers only. */}
              {bucket !== 'ok' && <span>{words} </span>}
              <b>{bucket === 'ok' ? t(texts.countOfTotal, count, sessionsIn(arrangement).length) : count}</b>
              {bucket === 'ok' && <span> {words}</span>}
              {bucket === 'dropped' && <span>{t(texts.showDropped)}</span>}
            </Button>
          );
        })}
      </div>
      <search className="bar-tools">
        <input
          ref={search}
          type="search"
          aria-label={t(texts.search)}
          autoComplete="off"
          spellCheck={false}
          placeholder={t(hasNames ? texts.searchNamesHint : texts.searchHint)}
          value={query}
          onChange={({ target }) => onChoose({ query: target.value })}
          // As Chromium and Safari do.
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !query) return;
            event.preventDefault();
            onChoose({ query: '' });
          }}
        />
        {groups.size > 0 && (
          // A group may have any name: the sign before it keeps its value apart from that of all groups.
          <select
            className="bar-group"
            aria-label={t(texts.group)}
            value={chosen === undefined ? '' : `=${chosen}`}
            onChange={({ target: { value } }) => onChoose({ section: value ? value.slice(1) : undefined })}
          >
            <option value="">{t(texts.allGroups)}</option>
            {[...groups].map(([section, { name, total, attention }]) => (
              <option key={section} value={`=${section}`}>
                {name || t(texts.noGroup)} ({total}
                {attention > 0 && `, ${t(texts.needAttention, attention)}`})
              </option>
            ))}
          </select>
        )}
        <select
          aria-label={t(texts.order)}
          value={order}
          onChange={({ target }) => onChoose({ order: ORDERS.find((one) => one === target.value) })}
        >
          {ORDERS.map((one) => (
            <option key={one} value={one}>
              {t(texts.orders[one])}
            </option>
          ))}
        </select>
        <Button
          className="toggle"
          aria-pressed={view === 'list'}
          onClick={() => onChoose({ view: view === 'list' ? 'cards' : 'list' })}
        >
          {t(texts.listView)}
        </Button>
        {TASKS.some(may) && (
          <Button
            className="toggle"
            aria-pressed={!!selection}
            onClick={() => onSelect(selection ? undefined : createSelection())}
          >
            {t(texts.select)}
          </Button>
        )}
        {hasNames && (
          <Button
            className="icon toggle"
            title={t(texts.exportList)}
            onClick={() => exportSessions(store, visibleIn(arrangement))}
          >
            {downloadIcon}
          </Button>
        )}
      </search>
      <Button
        className="icon bar-more"
        title={t(texts.tools)}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {toolsIcon}
      </Button>
      {may('start') && (
        <Button
          className="outlined bar-add"
          title={t(texts.add)}
          aria-label={t(texts.addConfirm)}
          aria-haspopup="dialog"
          onClick={() => dialog.set({ kind: 'add' })}
        >
          {plusIcon}
        </Button>
      )}
    </div>
  );
}

/**
 * Moves the focus to the search at `/` while it is in the panel, but not while somebody types or a dialog or menu is open.
 * Outside the panel, the key belongs to the host page (WCAG 2.1.4).
 *
 * @param setOpen - shows the search in a narrow bar
 */
function useSlash(search: RefObject<HTMLInputElement | null>, setOpen: (open: boolean) => void): void {
  useEffect(() => {
    const panel = search.current?.closest<HTMLElement>('.panel');
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey || !isElement(target)) return;
      if (target.closest(`${FIELD}, ${LAYER}`)) return;
      event.preventDefault();
      flushSync(() => setOpen(true));
      search.current?.focus();
    };
    panel?.addEventListener('keydown', onKey);
    return () => panel?.removeEventListener('keydown', onKey);
  }, [search, setOpen]);
}

export function Found({ arrangement, onChoose }: ChoiceProps) {
  const { t } = usePanel();
  const found = isFiltered(arrangement) && visibleIn(arrangement).length;
  return (
    <>
      <p className="bar-results" role="status">
        {found !== false && t(texts.found, found, sessionsIn(arrangement).length)}
      </p>
      {found === 0 && (
        <div className="empty">
          <p>{t(texts.noMatch)}</p>
          <Button
            className="filled"
            onClick={({ currentTarget }) => {
              currentTarget.closest('.main')?.querySelector<HTMLElement>('[type="search"]')?.focus();
              onChoose(NO_FILTER);
            }}
          >
            {t(texts.showAll)}
          </Button>
        </div>
      )}
    </>
  );
}

/** Milliseconds after which an interruption is shown: most are shorter. */
const AWAY_MS = 5000;

/** Shows since when the live connection has been interrupted: in the bar, and on the sessions. */
export function ConnectionNotice() {
  const connected = useSelector(usePanel().store.snapshot, (snapshot) => snapshot.connected);
  return !connected && <Away />;
}

function Away() {
  const { t } = usePanel();
  const strip = useRef<HTMLParagraphElement>(null);
  const [since] = useState(Date.now);
  const isShown = useLate(AWAY_MS);
  // The style sheet puts the words on the sessions: thousands need not render for them.
  useLayoutEffect(() => {
    const panel = strip.current?.closest<HTMLElement>('.panel');
    if (!isShown || !panel) return;
    panel.dataset.away = '';
    panel.style.setProperty('--_no-news', JSON.stringify(t(texts.noNewsSince, time(t, since))));
    return () => {
      delete panel.dataset.away;
      panel.style.removeProperty('--_no-news');
    };
  }, [isShown, since, t]);
  return (
    <p ref={strip} className="away" role="status">
      {isShown && t(texts.away, time(t, since))}
    </p>
  );
}
