import { createContext, type RefObject, useLayoutEffect, useState } from 'react';

/** The numeros whose cards the browser does not render, since they are far from the screen. */
export const OutOfSight = createContext<ReadonlySet<string>>(new Set());

/** Keeps the numeros of the cards in a grid that are out of sight. Who has asked for them looks when there is need. */
export function useSight(grid: RefObject<HTMLElement | null>, listed: boolean): ReadonlySet<string> {
  const [out] = useState(() => new Set<string>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: with the first card there is another grid
  useLayoutEffect(() => {
    const listen = (event: Event) => {
      if (!('skipped' in event && event.target instanceof HTMLElement)) return;
      const numero = event.target.dataset.numero ?? '';
      if (event.skipped) out.add(numero);
      else out.delete(numero);
    };
    const cards = grid.current;
    cards?.addEventListener('contentvisibilityautostatechange', listen, true);
    return () => cards?.removeEventListener('contentvisibilityautostatechange', listen, true);
  }, [grid, out, listed]);
  return out;
}
