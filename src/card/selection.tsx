import { createContext, useContext, useSyncExternalStore } from 'react';
import { usePanel } from '../context/panel-context.ts';
import { Observable } from '../observable.ts';
import * as texts from '../texts/sentences.ts';

export type Selection = ReturnType<typeof createSelection>;

export function createSelection() {
  const selected = new Observable<ReadonlySet<string>>(new Set());

  return {
    selected,

    toggle(numero: string): void {
      const now = new Set(selected.get());
      if (!now.delete(numero)) now.add(numero);
      selected.set(now);
    },

    add: (numeros: readonly string[]) => selected.set(new Set([...selected.get(), ...numeros])),

    clear: () => selected.set(new Set()),
  };
}

/** The selection that the cards take part in; undefined while nothing can be selected. */
export const SelectionContext = createContext<Selection | undefined>(undefined);

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
        onChange={() => selection.toggle(numero)}
      />
    </label>
  );
}
