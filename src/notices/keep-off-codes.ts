import { type RefObject, useLayoutEffect } from 'react';
import type { NoticePosition } from '../settings.ts';

/** A code that can be scanned: it has no cover. */
const SCANNABLE = '.qr-drawing:not([aria-hidden])';
/** What stays free at the top of the panel. */
const HEAD = '.header, .bar';

/** Pixels in which a notice can be read. */
const NARROWEST = 240;
/** Pixels at the top that stay free. */
const MARGIN = 72;

/**
 * Keeps the notices off the panel's header and bar, and off every code that can be scanned: beside it where there is
 * room, else at the other end of the screen. It measures only when one of them reaches the notices.
 */
export function useKeepOffCodes(
  popover: RefObject<HTMLElement | null>,
  position: NoticePosition,
  isEmpty: boolean,
): void {
  useLayoutEffect(() => {
    const layer = popover.current;
    const panel = layer?.closest('.panel');
    if (!layer || !panel) return;
    if (isEmpty) {
      layer.removeAttribute('data-end');
      return;
    }
    let area: string | undefined;
    let reached: IntersectionObserver | undefined;
    const watch = () => {
      for (const element of [...panel.querySelectorAll(HEAD), ...codesOf(layer)]) reached?.observe(element);
    };
    const look = () => {
      place(layer, position);
      const { left, right, top, bottom } = layer.getBoundingClientRect();
      const { clientWidth, clientHeight } = document.documentElement;
      const rootMargin = `${-top}px ${right - clientWidth}px ${bottom - clientHeight}px ${-left}px`;
      // An overlap that cannot be avoided would otherwise be handled in every frame.
      if (rootMargin === area) return;
      area = rootMargin;
      reached?.disconnect();
      reached = new IntersectionObserver(
        (entries) => entries.some(({ isIntersecting }) => isIntersecting) && look(),
        { root: document, rootMargin },
      );
      watch();
    };
    const mutated = new MutationObserver((records) =>
      records.some(({ target }) => layer.contains(target)) ? look() : watch(),
    );
    look();
    mutated.observe(panel, { childList: true, subtree: true, attributeFilter: ['aria-hidden', 'data-all'] });
    addEventListener('resize', look);
    return () => {
      reached?.disconnect();
      mutated.disconnect();
      removeEventListener('resize', look);
    };
  }, [popover, position, isEmpty]);
}

/** The codes that can be scanned. An open dialog takes the notices in: those outside of it cannot. */
function codesOf(layer: HTMLElement): Iterable<Element> {
  return layer.closest('dialog, .panel')?.querySelectorAll(SCANNABLE) ?? [];
}

function place(layer: HTMLElement, position: NoticePosition): void {
  const [corner, side] = position.split('-');
  // Without it there is no box to measure.
  layer.dataset.end ??= corner;
  const { left, right } = layer.getBoundingClientRect();
  let margin = MARGIN;
  for (const head of layer.closest('.panel')?.querySelectorAll(HEAD) ?? [])
    margin = Math.max(margin, Math.min(head.getBoundingClientRect().bottom, (innerHeight * 2) / 3));
  let width = innerWidth;
  let below = innerHeight;
  let above = below - margin;
  for (const code of codesOf(layer)) {
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
