/** How the operator moves through the list, and whether he is on a card. */
import type { KeyboardEvent, RefObject } from 'react';
import { type Cards, numeroOf } from '../context/cards.ts';
import { elapsed } from '../session/states.ts';
import { cardOf, focusedNear, TITLE } from '../ui/focus.ts';
import { FIELD, isElement, LAYER } from '../ui/input.ts';

/** Milliseconds for which a pointer at rest is in use: one that is left on the list must not hide what has dropped. */
const REST_MS = 10_000;

/**
 * Whether a card has the focus, or a dialog or menu has it, which gives it back to one, or a pointer is at work.
 *
 * @param pointedAt - when a pointer on the list was last moved or pressed, in milliseconds since 1970
 */
export const isInUse = (grid: HTMLElement | null, pointedAt: number): boolean =>
  !!focusedNear(grid)?.closest(LAYER) ||
  !!grid?.querySelector('article:focus-within') ||
  elapsed(pointedAt, Date.now()) < REST_MS;

/** The arrows move the focus to the next row or the one before; Escape closes an open row. In a field they are the field's. */
export function onRowKey(event: KeyboardEvent<HTMLElement>, cards: Cards): void {
  const { key, target, currentTarget } = event;
  if (event.altKey || event.isDefaultPrevented() || !isElement(target)) return;
  const row = target.closest('article');
  if (!row) return;
  if (key === 'Escape' && row.hasAttribute('data-opened')) {
    // It must not close the part of the page that shows the panel, too.
    event.preventDefault();
    focusOn(row);
    cards.update(numeroOf(row), { opened: false });
  }
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || target.matches(FIELD)) return;
  const rows = [...currentTarget.querySelectorAll('article:not([hidden])')];
  const other = rows[rows.indexOf(row) + step];
  if (!other) return;
  event.preventDefault();
  cards.makeWhole(other);
  focusOn(other);
}

const focusOn = (row: Element) => row.querySelector<HTMLElement>('.row-toggle')?.focus();

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
 * Gives the focus to the card of a session once it is there, and scrolls to it. Cards that come near the screen get their own
 * height in the next frames, which shifts what is around them: so it scrolls until nothing moves.
 */
export async function goToCard(list: RefObject<HTMLElement | null>, numero: string): Promise<void> {
  let reached: Element | null = null;
  for (let frame = 0, steady = 0; frame < MOST_FRAMES && steady < STEADY_FRAMES; frame += 1) {
    // By then the dialog has given the focus back.
    await new Promise(requestAnimationFrame);
    const card = list.current && cardOf(list.current, numero);
    if (!card?.checkVisibility()) continue;
    if (card !== reached) card.querySelector<HTMLElement>(TITLE)?.focus({ preventScroll: true });
    reached = card;
    steady = bringIntoView(card) ? 0 : steady + 1;
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
