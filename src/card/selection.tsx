import { createContext } from 'react';
import { Observable } from '../observable.ts';

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
