import type { Selection } from '../card/selection.ts';
import { useObservable, usePanel, useSelector } from '../panel-context.ts';
import { isIn } from '../session/counts.ts';
import * as texts from '../texts.ts';
import { focusFallback } from '../ui/focus.ts';
import type { BulkStart } from './bulk-start.ts';
import type { ListState } from './list-view.ts';

interface Props {
  readonly state: ListState;
  readonly selection: Selection;
  readonly bulk: BulkStart;
}

/** What can be done with the selected sessions. They cannot be deleted together. */
export function BulkBar({ state: { numeros, found }, selection, bulk }: Props) {
  const { store, restart } = usePanel();
  const selected = useObservable(selection.selected);
  const run = useObservable(bulk.run);
  const restartableCount = useSelector(store.counts, (counts) => counts.restartable);
  const unseen = found ? [...selected].filter((numero) => !found.has(numero)).length : 0;
  const disabled = selected.size === 0 || run?.state === 'running';

  const restartable = () =>
    numeros.filter((numero) => {
      const status = store.get(numero)?.status;
      return status && isIn('restartable', status);
    });

  return (
    <div ref={focusFallback} className="bulk">
      <button type="button" className="tonal" onClick={() => selection.add(restartable())}>
        {texts.selectRestartable(restartableCount)}
      </button>
      <button type="button" className="tonal" onClick={() => selection.add(selection.visible())}>
        {texts.selectVisible}
      </button>
      <button
        type="button"
        className="filled"
        aria-disabled={disabled || undefined}
        onClick={() => {
          if (disabled) return;
          const chosen = numeros.filter((numero) => selected.has(numero));
          restart(chosen, () => {
            void bulk.start(chosen);
            selection.clear();
          });
        }}
      >
        {texts.startSelected(selected.size)}
      </button>
      <button type="button" className="flat" onClick={() => selection.clear()}>
        {texts.unselect}
      </button>
      <p role="status">{texts.selected(selected.size, unseen)}</p>
    </div>
  );
}
