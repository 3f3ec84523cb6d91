/** Which cards the browser renders: cards have `content-visibility: auto`, so it skips those far from the screen. */
import { type RefObject, useLayoutEffect, useState } from 'react';
import { usePanel } from '../panel-context.ts';
import { isElement } from '../ui/guards.ts';

const CHANGE = 'contentvisibilityautostatechange';

/** Dispatched on a card that is no longer filtered out: browsers fire no visibility event for content added while hidden. */
export const UNHIDDEN = 'unhidden';

/**
 * Whether the browser renders the card around an element: on the screen and near it. A browser without the property
 * renders all cards; a dialog is always rendered.
 */
export function useRendered(element: RefObject<HTMLElement | null>): boolean {
  const [rendered, setRendered] = useState(false);
  useLayoutEffect(() => {
    const inside = element.current;
    if (!inside) return;
    const card = inside.closest('article');
    const listen = (event: Event) => {
      // No instanceof: the page that the panel is in by now may be another than the script's.
      if ('skipped' in event) setRendered(event.skipped === false);
    };
    const look = () => setRendered(!card || inside.checkVisibility({ contentVisibilityAuto: true }));
    card?.addEventListener(CHANGE, listen);
    card?.addEventListener(UNHIDDEN, look);
    look();
    return () => {
      card?.removeEventListener(CHANGE, listen);
      card?.removeEventListener(UNHIDDEN, look);
    };
  }, [element]);
  return rendered;
}

/** Tells the panel's render queue which cards of a grid the browser skips. */
export function useOffScreenCards(grid: RefObject<HTMLElement | null>, hasGrid: boolean): void {
  const { renderQueue } = usePanel();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the grid comes with the first card
  useLayoutEffect(() => {
    const listen = (event: Event) => {
      if (!('skipped' in event && isElement(event.target))) return;
      renderQueue.setOffScreen(event.target.getAttribute('data-numero') ?? '', event.skipped === true);
    };
    const cards = grid.current;
    cards?.addEventListener(CHANGE, listen, true);
    return () => cards?.removeEventListener(CHANGE, listen, true);
  }, [grid, renderQueue, hasGrid]);
}
