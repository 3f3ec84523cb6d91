import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useObservable, usePanel, useSelector } from '../context/panel-context.ts';
import { type Counts, NO_SESSIONS } from '../session/counts.ts';
import { ORDERS } from '../settings.ts';
import { time } from '../texts/moments.ts';
import * as texts from '../texts/sentences.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { icons } from '../ui/icons.tsx';
import { FIELD, isElement, LAYER, onEscape } from '../ui/input.ts';
import { Late } from '../ui/time.ts';
import { type Arrangement, type Choice, isFiltered, sessionsIn, visibleIn } from './arrange.ts';
import { NO_FILTER } from './filter.ts';

/** What the counters filter by, all first, and what its sessions ask of the operator, for its sign. */
const COUNTERS = [[], ['attention', 'act'], ['waiting', 'wait'], ['dropped', 'act']] as const;

const VIEWS = ['list', 'cards'] as const;

const totalOf = ({ ok, waiting, attention }: Counts): number => ok + waiting + attention;

/** Opens the dialog that adds a session, for who may. */
export function AddButton(props: ComponentProps<'button'>) {
  const { dialog, may } = usePanel();
  return (
    may('start') && (
      <Button aria-haspopup="dialog" onClick={() => dialog.set({ kind: 'add' })} {...props}>
        {props.children ?? icons.plus}
      </Button>
    )
  );
}

/** How many are connected, beside the heading. */
export function Connected() {
  const { store, t } = usePanel();
  const counts = useObservable(store.counts);
  const total = totalOf(counts);
  return total > 0 && <p className="muted">{t(texts.connectedOf, counts.ok, total)}</p>;
}

interface Props {
  readonly arrangement: Arrangement;
  readonly onChoose: (choice: Choice) => void;
}

/** Says how many sessions need somebody, and finds some among many. */
export function Finder({ arrangement, onChoose }: Props) {
  const { store, t } = usePanel();
  const { query, bucket: chosenBucket, section: chosen, order, view } = arrangement;
  const counts = useObservable(store.counts);
  const groups = new Map(useObservable(store.sections));
  // Its last session may have left it.
  if (chosen !== undefined && !groups.has(chosen)) groups.set(chosen, { ...NO_SESSIONS, name: chosen });
  const [open, setOpen] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  // `/` moves to the search. Outside the panel, the key belongs to the host page (WCAG 2.1.4).
  useEffect(() => {
    const left = new AbortController();
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey) return;
      if (!isElement(target) || target.closest(`${FIELD}, ${LAYER}`)) return;
      event.preventDefault();
      flushSync(() => setOpen(true));
      search.current?.focus();
    };
    search.current?.closest<HTMLElement>('.panel')?.addEventListener('keydown', onKey, left);
    return () => left.abort();
  }, []);

  return (
    <div className="bar-line">
      <div className="segments bar-counters">
        {COUNTERS.map(([bucket, asks]) => {
          const count = bucket ? counts[bucket] : totalOf(counts);
          const words = t(bucket ? texts.buckets[bucket] : texts.all, count);
          return (
            <Button
              key={bucket ?? ''}
              title={`${words} ${count}`}
              data-bucket={bucket}
              data-asks={asks}
              data-none={count === 0 || undefined}
              aria-pressed={bucket === chosenBucket}
              onClick={() => onChoose({ bucket: bucket === chosenBucket ? undefined : bucket })}
            >
              <span>{words}</span> <b>{count}</b>
            </Button>
          );
        })}
      </div>
      <Button
        className="icon bar-more"
        title={t(texts.search)}
        aria-expanded={open}
        onClick={() => {
          flushSync(() => setOpen(!open));
          search.current?.focus();
        }}
      >
        {icons.search}
      </Button>
      <search className="bar-tools">
        <div className="bar-search">
          {icons.search}
          <input
            ref={search}
            type="search"
            aria-label={t(texts.search)}
            aria-keyshortcuts="/"
            autoComplete="off"
            spellCheck={false}
            placeholder={t(texts.searchHint)}
            value={query}
            onChange={({ target }) => onChoose({ query: target.value })}
            // As Chromium and Safari do.
            onKeyDown={(event) => query && onEscape(event, () => onChoose({ query: '' }))}
          />
        </div>
        {groups.size > 0 && (
          <div className="bar-pick" data-chosen={chosen}>
            {icons.group}
            {/* A group may have any name: the sign before it keeps its value apart from that of all groups. */}
            <select
              aria-label={t(texts.group)}
              value={chosen === undefined ? '' : `=${chosen}`}
              onChange={({ target: { value } }) => onChoose({ section: value ? value.slice(1) : undefined })}
            >
              <option value="">{t(texts.allGroups)}</option>
              {[...groups].map(([section, { name, total }]) => (
                <option key={section} value={`=${section}`}>
                  {name || t(texts.noGroup)} ({total})
                </option>
              ))}
            </select>
          </div>
        )}
        <div className="bar-pick">
          {icons.sort}
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
        </div>
        <div className="segments">
          {VIEWS.map((one) => (
            <Button
              key={one}
              className="icon"
              title={t(texts.views[one])}
              aria-pressed={view === one}
              onClick={() => onChoose({ view: one })}
            >
              {icons[one]}
            </Button>
          ))}
        </div>
      </search>
    </div>
  );
}

export function Found({ arrangement, onChoose }: Props) {
  const { t } = usePanel();
  const found = isFiltered(arrangement) && visibleIn(arrangement).length;
  return (
    <>
      <p className="bar-results muted" role="status">
        {found !== false && t(texts.found, found, sessionsIn(arrangement).length)}
      </p>
      {found === 0 && (
        <Empty title={t(texts.noMatch)}>
          <Button className="filled" onClick={() => onChoose(NO_FILTER)}>
            {t(texts.showAll)}
          </Button>
        </Empty>
      )}
    </>
  );
}

/** Milliseconds after which an interruption is shown: most are shorter. */
const AWAY_MS = 5000;

/** Shows since when the live connection has been interrupted. The style sheet greys the sessions. */
export function ConnectionNotice() {
  const connected = useSelector(usePanel().store.snapshot, (snapshot) => snapshot.connected);
  return !connected && <Away />;
}

function Away() {
  const { t } = usePanel();
  const [since] = useState(Date.now);
  return (
    <p className="away" role="status">
      <Late dueMs={AWAY_MS}>
        {icons.act}
        {t(texts.away, time(t, since))}
      </Late>
    </p>
  );
}
