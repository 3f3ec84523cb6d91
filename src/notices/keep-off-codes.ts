import { type RefObject, useLayoutEffect } from 'react';
import type { Id } from 'react-toastify/unstyled';
import type { NoticePosition } from '../settings.ts';

/** A code without a cover. */
const SCANNABLE = '.qr-drawing:not([aria-hidden])';

/** Milliseconds between two looks at what is below the notices. */
const LOOK_MS = 250;
/** Pixels in which a notice can be read. */
const NARROWEST = 240;
/** Pixels at the top that stay free. */
const MARGIN = 72;

/**
 * Keeps the notices off the panel's header and bar, and off every code that is to be scanned: beside it where there is room, else
 * at the other end of the screen.
 */
export function useKeepOffCodes(
  popover: RefObject<HTMLElement | null>,
  position: NoticePosition,
  notices: readonly Id[],
): void {
  useLayoutEffect(() => {
    const layer = popover.current;
    if (!layer) return;
    if (notices.length === 0) {
      layer.removeAttribute('data-end');
      return;
    }
    const look = () => place(layer, position);
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [popover, position, notices]);
}

function place(layer: HTMLElement, position: NoticePosition): void {
  const [corner, side] = position.split('-');
  // Without it there is no box to measure.
  layer.dataset.end ??= corner;
  const { left, right } = layer.getBoundingClientRect();
  let margin = MARGIN;
  for (const head of layer.closest('.panel')?.querySelectorAll('.header, .bar') ?? [])
    margin = Math.max(margin, Math.min(head.getBoundingClientRect().bottom, (innerHeight * 2) / 3));
  let width = innerWidth;
  let below = innerHeight;
  let above = below - margin;
  // An open dialog takes the notices in: the codes outside cannot be scanned.
  for (const code of layer.closest('dialog, .panel')?.querySelectorAll(SCANNABLE) ?? []) {
    const box = code.getBoundingClientRect();
    const middle = (box.top + box.bottom) / 2;
    if (middle < 0 || middle > innerHeight) continue;
    const beside = side === 'left' ? box.left - left : side === 'right' ? right - box.right : 0;
    if (beside >= NARROWEST) width = Math.min(width, beside);
    else {
      above = Math.min(above, box.top - margin);
      below = Math.min(below, innerHeight - box.bottom);
    }
  }
  const height = Math.min(layer.scrollHeight, Math.max(above, below));
  const isTop = layer.dataset.end === 'top' ? above >= height : below < height;
  layer.dataset.end = isTop ? 'top' : 'bottom';
  layer.style.cssText = `--_width: ${width}px; --_margin: ${margin}px; --_room: ${isTop ? above : below}px`;
}
