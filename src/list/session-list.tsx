/** The list of sessions: search, order, selection and bulk start around the cards. */
import { memo, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { SelectionContext } from '../card/select-box.tsx';
import { Selection } from '../card/selection.ts';
import { SessionCard } from '../card/session-card.tsx';
import { useOffScreenCards } from '../card/visibility.ts';
import { useObservable, usePanel } from '../panel-context.ts';
import { texts } from '../texts.ts';
import { useFocusFallback } from '../ui/focus.ts';
import { BulkBar } from './bulk-bar.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { BulkStart } from './bulk-start.ts';
import { FilterBar } from './filter-bar.tsx';
import { useIncrementalList } from './incremental-list.ts';
import { ListView } from './list-view.ts';
import { useHidden } from './use-hidden.ts';
import { useReveal } from './use-reveal.ts';

/**
 * The cards, or why there are none (spec §2).
 *
 * @param revealed - the session to scroll to
 */
export function SessionList({ revealed }: { revealed: string | undefined }) {
  const { store } = usePanel();
  const { list, numeros } = useObservable(store.snapshot);
  const grid = useRef<HTMLDivElement>(null);
  const [view] = useState(() => new ListView(store, () => isHeld(grid.current)));
  const [selection] = useState(() => new Selection());
  const [bulk] = useState(() => new BulkStart(store));
  const [selecting, setSelecting] = useState(false);
  const state = useObservable(view.state);
  const { order, found, urgentFirst, hasFilterBar } = state;
  useLayoutEffect(() => view.follow(), [view]);
  useLayoutEffect(() => {
    if (revealed !== undefined) view.show(revealed);
  }, [view, revealed]);
  useEffect(() => selection.keep(numeros), [selection, numeros]);
  useEffect(() => () => bulk.stop(), [bulk]);

  // Sorted cards cannot come step by step: those that are shown would move.
  const cards = useIncrementalList(order, revealed !== undefined || urgentFirst);
  const hasCards = list !== 'failed' && numeros.length > 0;
  const many = hasCards && hasFilterBar;
  useHidden(grid, found, cards, list);
  useReveal(grid, revealed, cards);
  useOffScreenCards(grid, hasCards);

  return (
    <>
      {many && (
        <FilterBar
          view={view}
          state={state}
          selecting={selecting}
          onSelecting={() => {
            selection.clear();
            setSelecting(!selecting);
          }}
        >
          {selecting && <BulkBar state={state} selection={selection} bulk={bulk} />}
        </FilterBar>
      )}
      {/* A run goes on, however few sessions are left. */}
      <BulkProgress bulk={bulk} />
      {hasCards && (
        <SelectionContext value={many && selecting ? selection : undefined}>
          <Cards grid={grid} numeros={cards} />
        </SelectionContext>
      )}
      {list === 'failed' && <Failed onRetry={() => store.fetch()} />}
      {list === 'ready' && !hasCards && <Empty />}
      {list === 'loading' && !hasCards && <Skeletons />}
    </>
  );
}

/** Offers the next step. */
function Empty() {
  const { openDialog } = usePanel();
  return (
    <div className="empty">
      <p>{texts.noSessions}</p>
      <p>{texts.firstSteps}</p>
      <button
        type="button"
        className="filled"
        aria-haspopup="dialog"
        onClick={() => openDialog({ kind: 'add' })}
      >
        {texts.addFirst}
      </button>
    </div>
  );
}

function Skeletons() {
  return (
    <div className="grid skeletons" aria-hidden="true">
      <div />
      <div />
      <div />
    </div>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useFocusFallback(box);
  return (
    <div ref={box} className="empty">
      <p>{texts.listFailed}</p>
      <button type="button" className="filled" onClick={onRetry}>
        {texts.retry}
      </button>
    </div>
  );
}

interface CardsProps {
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly numeros: readonly string[];
}

/** Renders only when a session comes, goes or moves. */
const Cards = memo(function Cards({ grid, numeros }: CardsProps) {
  return (
    <div ref={grid} className="grid" part="grid">
      {numeros.map((numero) => (
        <SessionCard key={numero} numero={numero} />
      ))}
    </div>
  );
});

/** Whether the pointer or the focus is on a card, or the focus in a dialog, which gives it back to one. */
function isHeld(grid: HTMLElement | null): boolean {
  const root = grid?.getRootNode();
  if (!grid || !(root instanceof ShadowRoot)) return false;
  if (root.activeElement?.closest('article, dialog')) return true;
  return grid.matches(':hover') && [...grid.children].some((card) => card.matches(':hover'));
}
