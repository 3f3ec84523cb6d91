/** The list of sessions: search, order, selection and bulk start around the cards. */
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { SelectionContext } from '../card/select-box.tsx';
import { Selection } from '../card/selection.ts';
import { Operable, useObservable, usePanel, useSelector } from '../panel-context.ts';
import type { Order, View } from '../settings.ts';
import * as texts from '../texts.ts';
import { MessageBox } from '../ui/message-box.tsx';
import { Bar, Finder, Found } from './bar.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { BulkStart } from './bulk-start.ts';
import { Grid } from './grid.tsx';
import { ListView, visibleIn } from './list-view.ts';
import { useTop } from './use-top.ts';

interface Props {
  /** The session to scroll to. */
  readonly revealed: string | undefined;
  readonly view: View;
  /** Undefined where the view decides. */
  readonly order: Order | undefined;
}

/** The sessions, or why there are none. */
export const SessionList = memo(function SessionList({ revealed, view, order }: Props) {
  const { store, cards, readOnly } = usePanel();
  const list = useSelector(store.snapshot, (snapshot) => snapshot.list);
  const listError = useSelector(store.snapshot, (snapshot) => snapshot.listError);
  const numeros = useSelector(store.snapshot, (snapshot) => snapshot.numeros);
  const hasNames = useSelector(
    store.snapshot,
    ({ extensions, namedByHost }) => namedByHost || extensions.has('details'),
  );
  const grid = useRef<HTMLDivElement>(null);
  const [listView] = useState(() => new ListView(store, { view, order }, () => isHeld(grid.current)));
  const [selection] = useState(() => new Selection(() => visibleIn(listView.state.get())));
  const [bulk] = useState(() => new BulkStart(store));
  const [isSelecting, setSelecting] = useState(false);
  const selecting = isSelecting && !readOnly;
  const state = useObservable(listView.state);
  useLayoutEffect(() => listView.follow(), [listView]);
  useLayoutEffect(() => listView.setWanted({ view, order }), [listView, view, order]);
  useLayoutEffect(() => {
    if (revealed === undefined) return;
    cards.update(revealed, { opened: true });
    listView.show(revealed);
  }, [listView, cards, revealed]);
  useEffect(() => selection.keep(numeros), [selection, numeros]);
  useEffect(() => (readOnly ? undefined : () => bulk.stop()), [bulk, readOnly]);

  const hasCards = list !== 'failed' && state.numeros.length > 0;
  const many = hasCards && state.hasBar;
  useTop(grid, state.asked);

  return (
    <>
      <Bar>
        {many && (
          <>
            <Finder
              view={listView}
              state={state}
              hasNames={hasNames}
              selecting={selecting}
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
      </Bar>
      {many && <Found view={listView} state={state} />}
      {hasCards && (
        <SelectionContext value={many && selecting ? selection : undefined}>
          <Grid grid={grid} state={state} hasNames={hasNames} revealed={revealed} />
        </SelectionContext>
      )}
      {list === 'failed' && (
        <MessageBox action={texts.retry} onAction={() => store.fetch()}>
          <p>{texts.listFailed}</p>
          <p>{listError}</p>
        </MessageBox>
      )}
      {list === 'ready' && !hasCards && <Empty />}
      {list === 'loading' && !hasCards && <Skeletons />}
    </>
  );
});

/** Offers the next step. */
function Empty() {
  const { dialog, readOnly } = usePanel();
  return readOnly ? (
    <div className="empty">
      <p>{texts.noSessions}</p>
    </div>
  ) : (
    <MessageBox action={texts.addFirst} opensDialog onAction={() => dialog.set({ kind: 'add' })}>
      <p>{texts.noSessions}</p>
      <p>{texts.firstSteps}</p>
    </MessageBox>
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

/** Whether the pointer or the focus is on a card, or the focus in a dialog, which gives it back to one. */
function isHeld(grid: HTMLElement | null): boolean {
  const root = grid?.getRootNode();
  if (!grid || !(root instanceof ShadowRoot)) return false;
  if (root.activeElement?.closest('article, dialog')) return true;
  return grid.matches(':hover') && [...grid.children].some((card) => card.matches(':hover'));
}
