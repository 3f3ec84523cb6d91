import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import { SessionCard } from '../card/session-card.tsx';
import { OutOfSight, useSight } from '../card/use-sight.ts';
import type { Open } from '../dialogs/open-dialog.ts';
import type { Snapshot, Store } from '../store.ts';
import { texts } from '../texts.ts';
import { useFocusKept } from '../ui/focus.ts';
import { BulkBar } from './bulk-bar.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { BulkStart } from './bulk-start.ts';
import { FinderBar } from './filter-bar.tsx';
import { SelectionContext } from './select-box.tsx';
import { Selection } from './selection.ts';
import { useHidden } from './use-hidden.ts';
import { useGradually } from './use-incremental-list.ts';
import { useArrangement } from './use-list-view.ts';
import { useReveal } from './use-reveal.ts';

interface Props {
  readonly store: Store;
  readonly list: Snapshot['list'];
  readonly numeros: readonly string[];
  /** The session to bring into sight. */
  readonly revealed: string | undefined;
  readonly open: Open;
}

/** The main area's content: the cards, or why there are none (spec §2). What is chosen in it lasts as long as it. */
export function SessionList({ store, list, numeros, revealed, open }: Props) {
  const grid = useRef<HTMLDivElement>(null);
  const [arranger, arrangement] = useArrangement(store, grid, revealed);
  const { order, found, choice } = arrangement;
  // To arrange cards is to wait for them, and those that are there must not fall out of the beginning.
  const cards = useGradually(order, revealed !== undefined || choice.urgentFirst);
  useHidden(grid, found, cards, list);
  useReveal(grid, revealed, cards);
  const [selection] = useState(() => new Selection());
  const [bulk] = useState(() => new BulkStart(store));
  const [selecting, setSelecting] = useState(false);
  useEffect(() => selection.keep(numeros), [selection, numeros]);
  useEffect(() => () => bulk.stop(), [bulk]);

  const listed = list !== 'failed' && numeros.length > 0;
  const many = listed && arrangement.finding;
  const out = useSight(grid, listed);
  return (
    <>
      {many && (
        <FinderBar
          arranger={arranger}
          arrangement={arrangement}
          selecting={selecting}
          onSelecting={() => {
            selection.clear();
            setSelecting(!selecting);
          }}
        >
          {selecting && <BulkBar store={store} arrangement={arrangement} selection={selection} bulk={bulk} />}
        </FinderBar>
      )}
      {/* A run goes on, however few are left: it can be stopped to its end. */}
      <BulkProgress bulk={bulk} />
      {listed && (
        <SelectionContext value={many && selecting ? selection : undefined}>
          <OutOfSight value={out}>
            <Cards store={store} grid={grid} numeros={cards} open={open} />
          </OutOfSight>
        </SelectionContext>
      )}
      {list === 'failed' && <Failed onRetry={() => store.fetch()} />}
      {list === 'ready' && !listed && <p className="empty">{texts.noSessions}</p>}
    </>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useFocusKept(box);
  return (
    <div ref={box} className="empty">
      <p>{texts.listFailed}</p>
      <button type="button" className="filled" onClick={onRetry}>
        {texts.retry}
      </button>
    </div>
  );
}

interface CardsProps extends Pick<Props, 'store' | 'numeros' | 'open'> {
  readonly grid: RefObject<HTMLDivElement | null>;
}

/** Renders again only when a session comes, goes or takes another place: a notice or a dialog is no reason to walk the list. */
const Cards = memo(function Cards({ store, grid, numeros, open }: CardsProps) {
  return (
    <div ref={grid} className="grid" part="grid">
      {numeros.map((numero) => (
        <SessionCard key={numero} store={store} numero={numero} open={open} />
      ))}
    </div>
  );
});
