import { createContext, useContext, useSyncExternalStore } from 'react';
import { usePanel } from '../context/panel-context.ts';
import { Observable } from '../observable.ts';
import * as texts from '../texts.ts';

export type Selection = ReturnType<typeof createSelection>;

/**
 * The ticked sessions.
 *
 * @param visible - returns the sessions that the operator sees, in their order
 */
export function createSelection(visible: () => readonly string[]) {
  const selected = new Observable<ReadonlySet<string>>(new Set());
  /** The session whose tick changed last. A range begins there. */
  let last = '';

  return {
    selected,

    /** Ticks or unticks a session; with `range`, all shown from the last one to this one. */
    toggle(numero: string, range = false): void {
      const now = new Set(selected.get());
      const ticks = !now.has(numero);
      const shown = visible();
      const ends = [last, numero].map((end) => shown.indexOf(end));
      const from = Math.min(...ends);
      for (const one of range && from >= 0 ? shown.slice(from, Math.max(...ends) + 1) : [numero]) {
        if (ticks) now.add(one);
        else now.delete(one);
      }
      last = numero;
      selected.set(now);
    },

    add: (numeros: readonly string[]) => selected.set(new Set([...selected.get(), ...numeros])),

    clear(): void {
      last = '';
      selected.set(new Set());
    },
  };
}

/** The selection that the cards take part in; undefined while nothing can be selected. */
export const SelectionContext = createContext<Selection | undefined>(undefined);

/** The tick of a card, while sessions are selected. */
export function SelectBox({ numero }: { numero: string }) {
  const selection = useContext(SelectionContext);
  return selection && <Box selection={selection} numero={numero} />;
}

function Box({ selection, numero }: { selection: Selection; numero: string }) {
  const { t } = usePanel();
  const { subscribe, get } = selection.selected;
  const checked = useSyncExternalStore(subscribe, () => get().has(numero));
  return (
    <label className="select-box">
      <input
        type="checkbox"
        aria-label={t(texts.selectOne, numero)}
        checked={checked}
        readOnly
        onClick={({ shiftKey }) => selection.toggle(numero, shiftKey)}
      />
    </label>
  );
}
