import { type RefObject, useEffect } from 'react';
import { cardOf } from '../ui/card-of.ts';

/** Frames in a row without a shift after which all is at rest, and the most that one waits for it. */
const STEADY_FRAMES = 3;
const MOST_FRAMES = 30;

/**
 * Brings the card of a session into sight.
 *
 * @param revealed its numero
 * @param cards the numeros that have a card: this one's may be still to come
 */
export function useReveal(
  grid: RefObject<HTMLElement | null>,
  revealed: string | undefined,
  cards: readonly string[],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: with other cards, it is looked for again
  useEffect(() => {
    const card = grid.current && revealed !== undefined && cardOf(grid.current, revealed);
    if (card) reveal(card);
  }, [grid, revealed, cards]);
}

/**
 * Brings a card into the middle of the screen. Cards out of sight have a guessed height, and take their own in the
 * frames after they were scrolled to, which shifts what is around them: so it is brought there until it stays.
 */
function reveal(card: Element): void {
  let steady = 0;
  let top = Number.NaN;
  let left = MOST_FRAMES;
  const step = () => {
    card.scrollIntoView({ block: 'center' });
    const now = card.getBoundingClientRect().top;
    // A whole pixel is what rounding alone may do.
    steady = Math.abs(now - top) < 2 ? steady + 1 : 0;
    top = now;
    left -= 1;
    if (steady < STEADY_FRAMES && left > 0) requestAnimationFrame(step);
  };
  step();
}
