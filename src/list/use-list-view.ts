import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { Store } from '../store.ts';
import { type Arrangement, Arranger } from './list-view.ts';

/**
 * How the cards in a grid are arranged, live.
 *
 * @param revealed a session that the operator has just added
 */
export function useArrangement(
  store: Store,
  grid: RefObject<HTMLElement | null>,
  revealed: string | undefined,
): [Arranger, Arrangement] {
  const [arranger] = useState(() => new Arranger(store, () => isHeld(grid.current)));
  const arrangement = useSyncExternalStore(arranger.subscribe, arranger.getSnapshot);

  useLayoutEffect(() => {
    if (revealed !== undefined) arranger.show(revealed);
  }, [arranger, revealed]);

  return [arranger, arrangement];
}

/** Whether the pointer or the focus is in one of the cards, or in a dialog above them that gives it back. */
function isHeld(grid: HTMLElement | null): boolean {
  const root = grid?.getRootNode();
  if (!grid || !(root instanceof ShadowRoot)) return false;
  if (root.activeElement?.closest('article, dialog')) return true;
  return grid.matches(':hover') && [...grid.children].some((card) => card.matches(':hover'));
}
