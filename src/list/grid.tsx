/** The list of sessions: search, order, selection and bulk actions around the cards. */
import { memo, type RefObject, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { SessionCard } from '../card/session-card.tsx';
import {
  createSelection,
  type Selection,
  SelectionContext,
  useObservable,
  usePanel,
  useSelector,
} from '../context/panel-context.ts';
import { countSections, NO_SESSIONS } from '../session/counts.ts';
import * as texts from '../texts/sentences.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { icons } from '../ui/icons.tsx';
import { onEscape } from '../ui/input.ts';
import { Late } from '../ui/time.ts';
import {
  type Arrangement,
  type Choice,
  type FoldLine,
  type Heading,
  isFiltered,
  visibleIn,
} from './arrange.ts';
import { AddButton, ConnectionNotice, Finder, Found } from './bar.tsx';
import { BulkPill, createBulk, TASKS } from './bulk.tsx';
import { goToCard, isInUse, onRowKey, scrollUp } from './interaction.ts';
import { createListView, type ListView } from './list-view.ts';

/** How many cards appear at once, more than a screen shows. The rest follow when the codes on the screen are drawn. */
const FIRST = 50;
/** How many are whole from the start: about as many as a screen shows. */
const FIRST_WHOLE = { cards: 6, list: 12 };

/** What the columns of the list are called. */
const HEADS = [texts.number, texts.state, texts.whatToDo, texts.sinceWhen] as const;

/** Milliseconds after which a list is late. */
const LIST_DUE_MS = 10_000;

export const SessionList = memo(function SessionList() {
  const { store, t, cards, settings, added, may } = usePanel();
  const { view, order, connectionNotice } = useObservable(settings);
  const { list } = useObservable(store.snapshot);
  const grid = useRef<HTMLDivElement>(null);
  const pointedAt = useRef(0);
  const [listView] = useState(() =>
    createListView(store, { view, order }, () => isInUse(grid.current, pointedAt.current)),
  );
  const [bulk] = useState(() => createBulk(store));
  const [ticks] = useState(createSelection);
  const arrangement = useObservable(listView.state);
  useLayoutEffect(() => listView.follow(), [listView]);
  useLayoutEffect(() => listView.setWanted({ view, order }), [listView, view, order]);
  useLayoutEffect(
    () =>
      added.add((numero) => {
        // It may have been deleted before the answer came.
        if (!store.get(numero)) return;
        // Whole at once: React would not render it while a closing dialog gives it the focus.
        cards.update(numero, { opened: true, outline: false });
        listView.show(numero);
        void goToCard(grid, numero);
      }),
    [listView, store, cards, added],
  );

  const hasCards = list !== 'failed' && arrangement.items.length > 0;
  const hasBar = hasCards && arrangement.hasBar;
  const selection = hasBar && TASKS.some(may) ? ticks : undefined;
  const choose = (choice: Choice) => {
    listView.choose(choice);
    scrollUp(grid.current);
  };

  return (
    <>
      <div className="bar" part="bar">
        {connectionNotice && <ConnectionNotice />}
        {hasBar && <Finder arrangement={arrangement} onChoose={choose} />}
      </div>
      {hasBar && <Found arrangement={arrangement} onChoose={choose} />}
      {hasCards && (
        <SelectionContext value={selection}>
          <Grid
            grid={grid}
            pointedAt={pointedAt}
            arrangement={arrangement}
            selection={selection}
            onFold={listView.fold}
          />
        </SelectionContext>
      )}
      {/* A run goes on, however few sessions are left. */}
      <BulkPill arrangement={arrangement} selection={ticks} isSelecting={!!selection} bulk={bulk} />
      {list === 'failed' && <ListFailed />}
      {list === 'ready' && !hasCards && (
        <Empty
          icon={icons.scan}
          title={t(texts.noSessions)}
          text={may('start') ? t(texts.firstSteps) : undefined}
        >
          <AddButton className="filled">{t(texts.addFirst)}</AddButton>
        </Empty>
      )}
      {list === 'loading' && !hasCards && view === 'cards' && (
        <div className="grid skeletons">
          <div />
          <div />
          <div />
          <div />
        </div>
      )}
    </>
  );
});

interface Props {
  readonly grid: RefObject<HTMLDivElement | null>;
  /** When a pointer was last at work on it. */
  readonly pointedAt: RefObject<number>;
  readonly arrangement: Arrangement;
  readonly selection: Selection | undefined;
  readonly onFold: ListView['fold'];
}

/** The cards or rows of all sessions. The first appear as fast as if there were no others. */
function Grid({ grid, pointedAt, arrangement, selection, onFold }: Props) {
  const { t, cards } = usePanel();
  const [areFirstDrawn, setFirstDrawn] = useState(false);
  useEffect(() => cards.drawLater(undefined, () => setFirstDrawn(true)), [cards]);
  const { view, items } = useDeferredValue(arrangement);
  const whole = useDeferredValue(areFirstDrawn);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the others become whole near the screen
  useLayoutEffect(() => {
    for (const numero of visibleIn(arrangement).slice(0, FIRST_WHOLE[arrangement.view]))
      cards.update(numero, { outline: false });
  }, []);
  const isList = view === 'list';
  const point = () => {
    pointedAt.current = Date.now();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to its cards
    <div
      ref={grid}
      className={isList ? 'grid rows' : 'grid'}
      // Without a row it would be a frame around nothing.
      hidden={isFiltered(arrangement) && visibleIn(arrangement).length === 0}
      data-selecting={!!selection || undefined}
      part="grid"
      onKeyDown={(event) => {
        if (isList) onRowKey(event, cards);
        if (selection && selection.selected.get().size > 0) onEscape(event, selection.clear);
      }}
      onFocus={cards.focused}
      onPointerDown={point}
      onPointerMove={point}
      // A finger leaves as it lifts, just before the click.
      onPointerLeave={() => {
        pointedAt.current = 0;
      }}
      // Screen readers click without a focus.
      onClick={cards.focused}
      // Once the focus is where it goes.
      onBlur={() => setTimeout(cards.makeOutlines)}
    >
      {isList && (
        <div className="row-heads" aria-hidden="true">
          {HEADS.map((head) => (
            <span key={head} className="muted">
              {t(head)}
            </span>
          ))}
        </div>
      )}
      <Cards view={view} items={items} whole={whole} onFold={onFold} />
    </div>
  );
}

interface CardsProps extends Pick<Props, 'onFold'>, Pick<Arrangement, 'view' | 'items'> {
  readonly whole: boolean;
}

/** Renders only when a session comes, goes, moves, or is hidden by a filter or a fold, or appears again. */
const Cards = memo(function Cards({ view, items, whole, onFold }: CardsProps) {
  const panel = usePanel();
  const first = whole ? items : items.filter((item) => item.kind === 'fold' || item.visible).slice(0, FIRST);
  return first.map((item) => {
    if (item.kind === 'heading')
      return <SectionHeading key={`\n${item.section}`} {...item} onFold={onFold} />;
    if (item.kind === 'fold') return <FoldButton key={`\n\n${item.section}`} {...item} onFold={onFold} />;
    const { numero, visible, section } = item;
    return (
      <SessionCard
        key={numero}
        numero={numero}
        panel={panel}
        place={view === 'list' ? 'row' : 'card'}
        hidden={!visible}
        inSection={section !== undefined}
      />
    );
  });
});

/** The name of a group above its sessions, how many it has, and how many of them need attention. Folds them. */
function SectionHeading({ section, visible, closed, onFold }: Heading & Pick<Props, 'onFold'>) {
  const { store, t } = usePanel();
  const counted = useSelector(store.sections, (sections) => sections.get(section));
  // The count lags behind: it may not have a group that has just come.
  const { name, total, ok, waiting, attention } =
    counted ?? countSections(t, store.records).get(section) ?? NO_SESSIONS;
  const share = (some: number) => `${(100 * some) / total}%`;
  return (
    <h3 className="section" hidden={!visible}>
      <button
        type="button"
        className="fold muted"
        aria-expanded={!closed}
        onClick={() => onFold(section, 'closed')}
      >
        {icons.chevron}
        <bdi>{name || section || t(texts.noGroup)}</bdi>{' '}
        <small className="section-count">{t(texts.sessionCount, total)}</small>{' '}
        {attention > 0 && <small data-asks="act">{t(texts.needAttention, attention)}</small>}
        <span
          className="shares"
          aria-hidden="true"
          style={{
            background: `linear-gradient(90deg, var(--_good) ${share(ok)}, var(--_other) 0 ${share(ok + waiting)}, var(--_bad) 0)`,
          }}
        />
      </button>
    </h3>
  );
}

function FoldButton({ section, count, open, onFold }: FoldLine & Pick<Props, 'onFold'>) {
  const { t } = usePanel();
  return (
    <button type="button" className="fold muted" aria-expanded={open} onClick={() => onFold(section, 'open')}>
      {icons.chevron}
      {t(texts.connected, count)}
    </button>
  );
}

/** Says that there is no list to show, and why. */
export function ListFailed() {
  const { store, t } = usePanel();
  return (
    <Empty isFailure icon={icons.act} title={t(texts.listFailed)} text={store.snapshot.get().listError}>
      <Button className="filled" onClick={() => store.fetch()}>
        {t(texts.retry)}
      </Button>
    </Empty>
  );
}

/** Covers the list while the list is fetched. When the answer is late, it says so and offers to ask again. */
export function LoadingOverlay() {
  const { store, t } = usePanel();
  const isLoading = useSelector(store.snapshot, ({ list }) => list === 'loading');
  const [attempt, setAttempt] = useState(0);
  return (
    isLoading && (
      <div className="overlay">
        <div className="spinner" role="progressbar" aria-label={t(texts.loading)} />
        <div role="status">
          <Late key={attempt} dueMs={LIST_DUE_MS}>
            <Empty title={t(texts.listLate)}>
              <Button
                className="filled"
                onClick={() => {
                  setAttempt(attempt + 1);
                  void store.fetch();
                }}
              >
                {t(texts.retry)}
              </Button>
            </Empty>
          </Late>
        </div>
      </div>
    )
  );
}
