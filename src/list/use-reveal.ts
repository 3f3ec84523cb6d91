import { type RefObject, useEffect } from 'react';
import { cardOf } from '../ui/focus.ts';

/** Frames in a row without a shift after which the layout is at rest, and the most to wait for that. */
const STEADY_FRAMES = 3;
const MOST_FRAMES = 30;

/**
 * Scrolls to the card of a session.
 *
 * @param revealed - its numero
 * @param cards - the numeros that have a card: this one's may be still to come
 */
export function useReveal(
  grid: RefObject<HTMLElement | null>,
  revealed: string | undefined,
  cards: readonly string[],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the cards change, it is looked for again
  useEffect(() => {
    const card = grid.current && revealed !== undefined && cardOf(grid.current, revealed);
    if (card) reveal(card);
  }, [grid, revealed, cards]);
}

/**
 * Scrolls a card to the middle of the screen. Cards off the screen have a guessed height and get their own in the next
 * frames, which shifts what is around them: so it scrolls until nothing moves.
 */
function reveal(card: Element): void {
  let steady = 0;
  let top = Number.NaN;
  let left = MOST_FRAMES;
  const step = () => {
    card.scrollIntoView({ block: 'center' });
    const now = card.getBoundingClientRect().top;
    // Rounding alone may shift it by less than two pixels.
    steady = Math.abs(now - top) < 2 ? steady + 1 : 0;
    top = now;
    left -= 1;
    if (steady < STEADY_FRAMES && left > 0) requestAnimationFrame(step);
  };
  step();
}
