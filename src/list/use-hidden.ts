import { type RefObject, useLayoutEffect } from 'react';
import { SHOWN } from '../card/use-rendered.ts';
import type { Snapshot } from '../store.ts';

/**
 * Hides the cards that were not found, without React: to render thousands of cards anew at each letter would take a
 * second, and to unmount them would lose what was typed in them.
 *
 * @param found undefined where all are shown
 * @param cards the numeros that have a card: what comes with others is mounted unhidden, and so with another list
 */
export function useHidden(
  grid: RefObject<HTMLElement | null>,
  found: ReadonlySet<string> | undefined,
  cards: readonly string[],
  list: Snapshot['list'],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cards and the list are what changes the grid
  useLayoutEffect(() => {
    const shown: Element[] = [];
    for (const card of grid.current?.children ?? []) {
      const hidden = found !== undefined && !found.has(card.getAttribute('data-numero') ?? '');
      if (hidden === card.hasAttribute('hidden')) continue;
      card.toggleAttribute('hidden', hidden);
      if (!hidden) shown.push(card);
    }
    for (const card of shown) card.dispatchEvent(new Event(SHOWN));
  }, [grid, found, cards, list]);
}
