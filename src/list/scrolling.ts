/** Where the page is scrolled to when the list changes. */
import type { RefObject } from 'react';
import { cardOf } from '../ui/focus.ts';

/** Frames in a row without a shift after which the layout is at rest, and the most to wait for that. */
const STEADY_FRAMES = 3;
const MOST_FRAMES = 30;

/** Scrolls to the beginning of the list where that is above the screen. */
export function scrollUp(list: HTMLElement | null): void {
  const bar = list?.closest('.main')?.querySelector('.bar');
  if (list && bar && list.getBoundingClientRect().top < bar.getBoundingClientRect().bottom)
    list.scrollIntoView({ block: 'start' });
}

/**
 * Scrolls to the card of a session once it is there. Cards that come near the screen get their own height in the next
 * frames, which shifts what is around them: so it scrolls until nothing moves.
 */
export async function scrollToCard(list: RefObject<HTMLElement | null>, numero: string): Promise<void> {
  for (let frame = 0, steady = 0; frame < MOST_FRAMES && steady < STEADY_FRAMES; frame += 1) {
    const card = list.current && cardOf(list.current, numero);
    if (card?.checkVisibility()) steady = bringIntoView(card) ? 0 : steady + 1;
    await new Promise(requestAnimationFrame);
  }
}

/**
 * Brings the picture of a card, where its code is or will be, to the top of the screen, unless the whole of it is there.
 * Returns whether that moved it.
 */
function bringIntoView(card: Element): boolean {
  // An outline has none until it comes near the screen.
  const picture = card.querySelector('.picture') ?? card;
  const top = () => picture.getBoundingClientRect().top;
  const before = top();
  // Moves nothing that is there as a whole, in whatever the page scrolls.
  picture.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  // Rounding alone may shift it by less than two pixels.
  const moved = Math.abs(top() - before) >= 2;
  if (moved) picture.scrollIntoView({ block: 'start', behavior: 'instant' });
  return moved;
}
