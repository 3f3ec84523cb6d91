import { useRef, useSyncExternalStore } from 'react';
import { isIn } from '../session/counts.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { useFocusKept } from '../ui/focus.ts';
import type { BulkStart } from './bulk-start.ts';
import type { Arrangement } from './list-view.ts';
import type { Selection } from './selection.ts';

interface Props {
  readonly store: Store;
  readonly arrangement: Arrangement;
  readonly selection: Selection;
  readonly bulk: BulkStart;
}

/** What can be done with the selected sessions. Deleting is not among it. */
export function BulkBar({ store, arrangement: { order, found, counts }, selection, bulk }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const picked = useSyncExternalStore(selection.subscribe, selection.getSnapshot);
  const run = useSyncExternalStore(bulk.subscribe, bulk.getSnapshot);
  useFocusKept(bar);
  const unseen = found ? [...picked].filter((numero) => !found.has(numero)).length : 0;
  const idle = picked.size === 0 || run?.state === 'running';

  const mendable = () =>
    order.filter((numero) => {
      const situation = store.situation(numero);
      return situation && isIn('mendable', situation);
    });

  return (
    <div ref={bar} className="bulk">
      <button type="button" className="tonal" onClick={() => selection.add(mendable())}>
        {texts.selectMendable(counts.mendable)}
      </button>
      <button
        type="button"
        className="filled"
        aria-disabled={idle || undefined}
        onClick={() => {
          if (idle) return;
          bulk.start(order.filter((numero) => picked.has(numero)));
          selection.clear();
        }}
      >
        {texts.startSelected(picked.size)}
      </button>
      <button type="button" className="flat" onClick={() => selection.clear()}>
        {texts.unselect}
      </button>
      <p role="status">{texts.selected(picked.size, unseen)}</p>
    </div>
  );
}
