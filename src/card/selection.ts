import { Observable } from '../observable.ts';

export type Selection = ReturnType<typeof createSelection>;

/**
 * The ticked sessions.
 *
 * @param visible - returns the sessions that the operator sees, in their order
 */
export function createSelection(visible: () => readonly string[]) {
  /** The same set until a tick changes. */
  const selected = new Observable<ReadonlySet<string>>(new Set());
  /** The session whose tick changed last. A range begins there. */
  let last = '';

  function set(now: ReadonlySet<string>): void {
    const before = selected.get();
    if (now.size !== before.size || [...now].some((numero) => !before.has(numero))) selected.set(now);
  }

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
      set(now);
    },

    add: (numeros: readonly string[]) => set(new Set([...selected.get(), ...numeros])),

    clear(): void {
      last = '';
      set(new Set());
    },

    /** Unticks sessions that are no longer listed. */
    keep: (listed: readonly string[]) => set(new Set(listed.filter((numero) => selected.get().has(numero)))),
  };
}
