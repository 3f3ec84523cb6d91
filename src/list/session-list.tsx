/** The list of sessions: search, order, selection and bulk actions around the cards. */
import { memo, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { createSelection, SelectionContext } from '../card/selection.tsx';
import { useObservable, usePanel, useSelector, useSetting } from '../context/panel-context.ts';
import * as texts from '../texts/sentences.ts';
import { Button } from '../ui/button.tsx';
import { cardOf, focusedNear } from '../ui/focus.ts';
import { LAYER } from '../ui/input.ts';
import { Late } from '../ui/time.ts';
import { ConnectionNotice, Finder, Found, followLayout } from './bar.tsx';
import { BulkBar, BulkProgress, createBulk, TASKS } from './bulk.tsx';
import { Grid } from './grid.tsx';
import { type Choice, createListView } from './list-view.ts';

export const SessionList = memo(function SessionList() {
  const { store, t, cards, dialog, added, may } = usePanel();
  const view = useSetting('view');
  const order = useSetting('order');
  const connectionNotice = useSetting('connectionNotice');
  const { list, listError, namedByHost, extensions } = useObservable(store.snapshot);
  const grid = useRef<HTMLDivElement>(null);
  const [listView] = useState(() =>
    createListView(
      store,
      { view, order },
      // What is typed into its form would be lost.
      (numero) => isInteracting(grid.current, numero) || (!!numero && !!cards.get(numero).editing),
    ),
  );
  const [selection] = useState(() => createSelection());
  const [bulk] = useState(() => createBulk(store));
  const [isSelecting, setSelecting] = useState(false);
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
        void scrollToCard(grid, numero);
      }),
    [listView, store, cards, added],
  );

  const hasCards = list !== 'failed' && arrangement.items.length > 0;
  const hasBar = hasCards && arrangement.hasBar;
  const canSelect = TASKS.some(may);
  const selecting = hasBar && isSelecting && canSelect;
  const choose = (choice: Choice) => {
    listView.choose(choice);
    scrollUp(grid.current);
  };

  return (
    <>
      <div ref={followLayout} className="bar" part="bar">
        {connectionNotice && <ConnectionNotice />}
        {hasBar && (
          <>
            <Finder
              arrangement={arrangement}
              hasNames={namedByHost || extensions.has('details')}
              selecting={selecting}
              onChoose={choose}
              onSelecting={
                canSelect
                  ? () => {
                      selection.clear();
                      setSelecting(!selecting);
                    }
                  : undefined
              }
            />
            {selecting && <BulkBar arrangement={arrangement} selection={selection} bulk={bulk} />}
          </>
        )}
        {/* A run goes on, however few sessions are left. */}
        <BulkProgress bulk={bulk} />
      </div>
      {hasBar && <Found arrangement={arrangement} onChoose={choose} />}
      {hasCards && (
        <SelectionContext value={selecting ? selection : undefined}>
          <Grid grid={grid} arrangement={arrangement} selecting={selecting} onFold={listView.fold} />
        </SelectionContext>
      )}
      {list === 'failed' && (
        <div className="empty">
          <p>{t(texts.listFailed)}</p>
          <p>{listError}</p>
          <Button className="filled" onClick={() => store.fetch()}>
            {t(texts.retry)}
          </Button>
        </div>
      )}
      {list === 'ready' && !hasCards && (
        <div className="empty">
          <p>{t(texts.noSessions)}</p>
          {may('start') && (
            <>
              <p>{t(texts.firstSteps)}</p>
              <Button className="filled" aria-haspopup="dialog" onClick={() => dialog.set({ kind: 'add' })}>
                {t(texts.addFirst)}
              </Button>
            </>
          )}
        </div>
      )}
      {list === 'loading' && !hasCards && (
        <div className="grid skeletons">
          <div />
          <div />
          <div />
        </div>
      )}
    </>
  );
});

/**
 * Whether the focus is on a card, or on this one; or in a dialog or menu, which gives it back to one; or the pointer is on any
 * card. A finger leaves the card that it tapped hovered until the next tap: that holds no other.
 */
function isInteracting(grid: HTMLElement | null, numero?: string): boolean {
  const card = numero === undefined ? '' : `[data-numero="${CSS.escape(numero)}"]`;
  return (
    !!focusedNear(grid)?.closest(`article${card}, ${LAYER}`) ||
    !!grid?.matches(`[data-pressed], :has(> ${matchMedia('(hover)').matches ? '' : card}:hover)`)
  );
}

/** Frames in a row without a shift after which the layout is at rest, and the most to wait for that. */
const STEADY_FRAMES = 3;
const MOST_FRAMES = 30;

/** Scrolls to the beginning of the list where that is above the screen. */
function scrollUp(list: HTMLElement | null): void {
  const bar = list?.closest('.main')?.querySelector('.bar');
  if (list && bar && list.getBoundingClientRect().top < bar.getBoundingClientRect().bottom)
    list.scrollIntoView({ block: 'start' });
}

/**
 * Scrolls to the card of a session once it is there. Cards that come near the screen get their own height in the next
 * frames, which shifts what is around them: so it scrolls until nothing moves.
 */
async function scrollToCard(list: RefObject<HTMLElement | null>, numero: string): Promise<void> {
  for (let frame = 0, steady = 0; frame < MOST_FRAMES && steady < STEADY_FRAMES; frame += 1) {
    const card = list.current && cardOf(list.current, numero);
    if (card?.checkVisibility()) steady = bringIntoView(card) ? 0 : steady + 1;
    await new Promise(requestAnimationFrame);
  }
}

/**
 * Brings the picture of a card, where its code is or will be, to the top of the screen, unless the whole of it is there.
 * Returns whether that moved it.
 */
function bringIntoView(card: Element): boolean {
  // An outline has none until it comes near the screen.
  const picture = card.querySelector('.picture') ?? card;
  const top = () => picture.getBoundingClientRect().top;
  const before = top();
  // Moves nothing that is there as a whole, in whatever the page scrolls.
  picture.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  // Rounding alone may shift it by less than two pixels.
  const moved = Math.abs(top() - before) >= 2;
  if (moved) picture.scrollIntoView({ block: 'start', behavior: 'instant' });
  return moved;
}

/** Milliseconds after which a list is late. */
const LIST_DUE_MS = 10_000;

/** Covers the panel while the list is fetched. When the answer is late, it says so and offers to ask again. */
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
            <div className="empty">
              <p>{t(texts.listLate)}</p>
              <Button
                className="filled"
                onClick={() => {
                  setAttempt(attempt + 1);
                  void store.fetch();
                }}
              >
                {t(texts.retry)}
              </Button>
            </div>
          </Late>
        </div>
      </div>
    )
  );
}
