import { type RefObject, useLayoutEffect } from 'react';
import { UNHIDDEN } from '../card/visibility.ts';
import type { Snapshot } from '../store.ts';

/**
 * Hides the cards that are filtered out, without React: rendering thousands of cards at each letter would take a second,
 * and unmounting them would lose what was typed in them.
 *
 * @param found - undefined where all are shown
 * @param cards - the numeros that have a card: new cards are mounted unhidden, and so is another list
 */
export function useHidden(
  grid: RefObject<HTMLElement | null>,
  found: ReadonlySet<string> | undefined,
  cards: readonly string[],
  list: Snapshot['list'],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cards and the list are what changes the grid
  useLayoutEffect(() => {
    const unhidden: Element[] = [];
    for (const card of grid.current?.children ?? []) {
      const hidden = found !== undefined && !found.has(card.getAttribute('data-numero') ?? '');
      if (hidden === card.hasAttribute('hidden')) continue;
      card.toggleAttribute('hidden', hidden);
      if (!hidden) unhidden.push(card);
    }
    for (const card of unhidden) card.dispatchEvent(new Event(UNHIDDEN));
  }, [grid, found, cards, list]);
}
