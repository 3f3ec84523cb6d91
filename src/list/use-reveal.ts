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
 * Brings the picture of a card, where its code is or will be, to the top of the screen, unless the whole of it is there.
 * Cards off the screen have a guessed height and get their own in the next frames, which shifts what is around them: so
 * it scrolls until nothing moves.
 */
function reveal(card: Element): void {
  // An outline has none until it comes near the screen.
  const pictureOf = () => card.querySelector('.picture') ?? card;
  const top = () => pictureOf().getBoundingClientRect().top;
  let steady = 0;
  let last = Number.NaN;
  let left = MOST_FRAMES;
  const step = () => {
    const picture = pictureOf();
    const before = top();
    // Moves nothing that is there as a whole, in whatever the page scrolls.
    picture.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    if (!isNear(top(), before)) picture.scrollIntoView({ block: 'start', behavior: 'instant' });
    steady = isNear(top(), last) ? steady + 1 : 0;
    last = top();
    left -= 1;
    if (steady < STEADY_FRAMES && left > 0) requestAnimationFrame(step);
  };
  step();
}

/** Rounding alone may shift it by less than two pixels. */
const isNear = (one: number, other: number): boolean => Math.abs(one - other) < 2;
