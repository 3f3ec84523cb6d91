import { type RefObject, useLayoutEffect } from 'react';

/**
 * Scrolls to the beginning of the list when the operator asks for something else and that beginning is above the screen.
 *
 * @param asked - how often the operator has asked
 */
export function useTop(grid: RefObject<HTMLElement | null>, asked: number): void {
  useLayoutEffect(() => {
    const list = grid.current;
    if (!list || asked === 0) return;
    const margin = parseFloat(getComputedStyle(list).scrollMarginBlockStart);
    if (list.getBoundingClientRect().top < margin) list.scrollIntoView({ block: 'start' });
  }, [grid, asked]);
}
