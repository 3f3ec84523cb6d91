/** The list of sessions: search, order, selection and bulk start around the cards. */
import { memo, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { SelectionContext } from '../card/select-box.tsx';
import { Selection } from '../card/selection.ts';
import { SessionCard } from '../card/session-card.tsx';
import { useOffScreenCards } from '../card/visibility.ts';
import { useObservable, usePanel } from '../panel-context.ts';
import type { Order, ShownView, View } from '../settings.ts';
import * as texts from '../texts.ts';
import { MessageBox } from '../ui/message-box.tsx';
import { Bar, Finder, Found } from './bar.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { BulkStart } from './bulk-start.ts';
import { useIncrementalList } from './incremental-list.ts';
import { type ListState, ListView, visibleIn } from './list-view.ts';
import { onRowKey } from './row-keys.ts';
import { SectionHeading } from './section-heading.tsx';
import { useHidden } from './use-hidden.ts';
import { useReveal } from './use-reveal.ts';
import { useTop } from './use-top.ts';

interface Props {
  /** The session to scroll to. */
  readonly revealed: string | undefined;
  readonly view: View;
  /** Undefined where the view decides. */
  readonly order: Order | undefined;
}

/** The sessions, or why there are none (spec §2). */
export function SessionList({ revealed, view, order }: Props) {
  const { store } = usePanel();
  const { list, listError, numeros, extensions, namedByHost } = useObservable(store.snapshot);
  const hasNames = namedByHost || extensions.has('details');
  const grid = useRef<HTMLDivElement>(null);
  const [listView] = useState(() => new ListView(store, { view, order }, () => isHeld(grid.current)));
  const [selection] = useState(() => new Selection(() => visibleIn(listView.state.get())));
  const [bulk] = useState(() => new BulkStart(store));
  const [selecting, setSelecting] = useState(false);
  const state = useObservable(listView.state);
  const { found, hasBar } = state;
  useLayoutEffect(() => listView.follow(), [listView]);
  useLayoutEffect(() => listView.setWanted({ view, order }), [listView, view, order]);
  useLayoutEffect(() => {
    if (revealed !== undefined) listView.show(revealed);
  }, [listView, revealed]);
  useEffect(() => selection.keep(numeros), [selection, numeros]);
  useEffect(() => () => bulk.stop(), [bulk]);

  const cards = useIncrementalList(state.numeros, revealed !== undefined);
  const hasCards = list !== 'failed' && numeros.length > 0;
  const many = hasCards && hasBar;
  useHidden(grid, found, cards, state.sections, list);
  useTop(grid, state.asked);
  useReveal(grid, revealed, cards);
  useOffScreenCards(grid, hasCards);

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
        <BulkProgress bulk={bulk} />
      </Bar>
      {many && <Found view={listView} state={state} />}
      {hasCards && (
        <SelectionContext value={many && selecting ? selection : undefined}>
          <Cards
            grid={grid}
            numeros={cards}
            sections={state.sections}
            view={state.view}
            hasNames={hasNames}
            revealed={revealed}
          />
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
}

/** Offers the next step. */
function Empty() {
  const { openDialog } = usePanel();
  return (
    <MessageBox action={texts.addFirst} opensDialog onAction={() => openDialog({ kind: 'add' })}>
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

interface CardsProps {
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly numeros: readonly string[];
  readonly sections: ListState['sections'];
  readonly view: ShownView;
  readonly hasNames: boolean;
  /** The session whose row is to open. */
  readonly revealed: string | undefined;
}

/** Renders only when a session comes, goes, moves or is to be named, and when a row opens or closes. */
const Cards = memo(function Cards({ grid, numeros, sections, view, hasNames, revealed }: CardsProps) {
  /** The rows that have been opened, and whether they still are. */
  const [rows, setRows] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [haveBeenCards, setHaveBeenCards] = useState(view === 'cards');
  if (view === 'cards' && !haveBeenCards) setHaveBeenCards(true);
  const toggle = useCallback((numero: string) => {
    setRows((before) => new Map(before).set(numero, !before.get(numero)));
  }, []);
  useLayoutEffect(() => {
    if (revealed !== undefined) setRows((before) => new Map(before).set(revealed, true));
  }, [revealed]);
  const naming = useObservable(usePanel().naming);
  const isList = view === 'list';
  let section: string | undefined;

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to its rows
    <div
      ref={grid}
      className={isList ? 'grid rows' : 'grid'}
      data-named={hasNames || undefined}
      part="grid"
      onKeyDown={isList ? (event) => onRowKey(event, toggle) : undefined}
    >
      {numeros.flatMap((numero) => {
        const card = (
          <SessionCard
            key={numero}
            numero={numero}
            view={view}
            opened={isList ? (rows.get(numero) ?? (haveBeenCards ? false : undefined)) : undefined}
            inSection={sections !== undefined}
            naming={naming.has(numero)}
            onToggle={toggle}
          />
        );
        const begun = sections?.get(numero);
        if (begun === undefined || begun === section) return card;
        section = begun;
        return [<SectionHeading key={`\n${section}`} section={section} />, card];
      })}
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
