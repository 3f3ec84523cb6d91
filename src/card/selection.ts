import { Observable } from '../observable.ts';

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
