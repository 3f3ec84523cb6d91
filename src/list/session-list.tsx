/** The list of sessions: search, order, selection and bulk start around the cards. */
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { SelectionContext } from '../card/select-box.tsx';
import { createSelection } from '../card/selection.ts';
import { Operable, useObservable, usePanel, useSelector } from '../context/panel-context.ts';
import * as texts from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { focusedNear } from '../ui/focus.ts';
import { Finder, Found, publishHeight } from './bar.tsx';
import { BulkBar, BulkProgress } from './bulk.tsx';
import { createBulkStart } from './bulk-start.ts';
import { Grid } from './grid.tsx';
import { type Choice, createListView, visibleIn, type Wanted } from './list-view.ts';
import { scrollToCard, scrollUp } from './scrolling.ts';

interface Props extends Wanted {
  /** The session to scroll to. */
  readonly revealed: string | undefined;
}

/** The sessions, or why there are none. */
export const SessionList = memo(function SessionList({ revealed, view, order }: Props) {
  const { store, cards, dialog, readOnly } = usePanel();
  const list = useSelector(store.snapshot, (snapshot) => snapshot.list);
  const listError = useSelector(store.snapshot, (snapshot) => snapshot.listError);
  const hasNames = useSelector(store.snapshot, (all) => all.namedByHost || all.extensions.has('details'));
  const grid = useRef<HTMLDivElement>(null);
  const [listView] = useState(() => createListView(store, { view, order }, () => isHeld(grid.current)));
  const [selection] = useState(() => createSelection(() => visibleIn(listView.state.get())));
  const [bulk] = useState(() => createBulkStart(store));
  const [isSelecting, setSelecting] = useState(false);
  const selecting = isSelecting && !readOnly;
  const state = useObservable(listView.state);
  const { numeros } = state;
  useLayoutEffect(() => listView.follow(), [listView]);
  useLayoutEffect(() => listView.setWanted({ view, order }), [listView, view, order]);
  useLayoutEffect(() => {
    if (revealed === undefined) return;
    // Whole at once: React would not render it while a closing dialog gives it the focus.
    cards.update(revealed, { opened: true, outline: false });
    listView.show(revealed);
    void scrollToCard(grid, revealed);
  }, [listView, cards, revealed]);
  useEffect(() => selection.keep(numeros), [selection, numeros]);
  useEffect(() => (readOnly ? undefined : bulk.stop), [bulk, readOnly]);

  const hasCards = list !== 'failed' && numeros.length > 0;
  const hasBar = hasCards && state.hasBar;
  const choose = (choice: Partial<Choice>) => {
    listView.choose(choice);
    scrollUp(grid.current);
  };

  return (
    <>
      <div ref={publishHeight} className="bar" part="bar">
        {hasBar && (
          <>
            <Finder
              state={state}
              hasNames={hasNames}
              selecting={selecting}
              onChoose={choose}
              onSelecting={() => {
                selection.clear();
                setSelecting(!selecting);
              }}
            />
            {selecting && <BulkBar state={state} selection={selection} bulk={bulk} />}
          </>
        )}
        {/* A run goes on, however few sessions are left. */}
        <Operable>
          <BulkProgress bulk={bulk} />
        </Operable>
      </div>
      {hasBar && <Found state={state} onChoose={choose} />}
      {hasCards && (
        <SelectionContext value={hasBar && selecting ? selection : undefined}>
          <Grid grid={grid} state={state} hasNames={hasNames} />
        </SelectionContext>
      )}
      {list === 'failed' && (
        <div className="empty">
          <p>{texts.listFailed}</p>
          <p>{listError}</p>
          <Button className="filled" onClick={() => store.fetch()}>
            {texts.retry}
          </Button>
        </div>
      )}
      {list === 'ready' && !hasCards && (
        <div className="empty">
          <p>{texts.noSessions}</p>
          <Operable>
            <p>{texts.firstSteps}</p>
            <Button className="filled" aria-haspopup="dialog" onClick={() => dialog.set({ kind: 'add' })}>
              {texts.addFirst}
            </Button>
          </Operable>
        </div>
      )}
      {list === 'loading' && !hasCards && (
        <div className="grid skeletons" aria-hidden="true">
          <div />
          <div />
          <div />
        </div>
      )}
    </>
  );
});

/** Whether the pointer or the focus is on a card, or the focus in a dialog, which gives it back to one. */
function isHeld(grid: HTMLElement | null): boolean {
  return !!focusedNear(grid)?.closest('article, dialog') || !!grid?.querySelector(':scope > :hover');
}
