import { type RefObject, useLayoutEffect } from 'react';
import { UNHIDDEN } from '../card/visibility.ts';

/**
 * Hides the cards that are filtered out, and the headings of sections that have no other, without React: rendering
 * thousands of cards at each letter would take a second, and unmounting them would lose what was typed in them.
 *
 * @param found - undefined where all are shown
 * @param mounted - what changes when cards or headings are mounted, which are unhidden then
 */
export function useHidden(
  grid: RefObject<HTMLElement | null>,
  found: ReadonlySet<string> | undefined,
  ...mounted: readonly unknown[]
): void {
  useLayoutEffect(() => {
    const unhidden: Element[] = [];
    let heading: Element | undefined;
    for (const card of grid.current?.children ?? []) {
      const numero = card.getAttribute('data-numero');
      const hidden = found !== undefined && (numero === null || !found.has(numero));
      if (numero === null) heading = card;
      else if (!hidden) heading?.removeAttribute('hidden');
      if (hidden === card.hasAttribute('hidden')) continue;
      card.toggleAttribute('hidden', hidden);
      if (!hidden) unhidden.push(card);
    }
    for (const card of unhidden) card.dispatchEvent(new Event(UNHIDDEN));
  }, [grid, found, ...mounted]);
}
