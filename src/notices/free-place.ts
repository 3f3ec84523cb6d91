import { type RefObject, useLayoutEffect } from 'react';
import { seconds } from '../session/clock.ts';
import type { NoticePosition } from '../settings.ts';
import { zoomOf } from '../ui/zoom.ts';

/** Codes that can be scanned: they have no cover. */
const CODES = '.qr-drawing:not([aria-hidden])';
/** What else the operator may need next. */
const NEEDED = `${CODES}, .header, .bar, .row:focus-within, .dialog > *`;
/** Widths of the notices in pixels, and what they do not cover then: the best first, the last beside a large code. */
const ATTEMPTS = [
  [392, NEEDED],
  [392, CODES],
  [240, CODES],
] as const;

/** Pixels at the top of the window that stay free. */
const MARGIN = 72;
/** The height in pixels in which notices can be read, if need be by scrolling. */
const ENOUGH = 130;
/** In a window of fewer pixels, notices are at the bottom. */
const NARROW = 480;

/**
 * Keeps the notices off what the operator may need next: the content of an open dialog, or else the header, the bar, the row
 * with the focus, and codes. Where there is no room for that, they cover no code. Notices stay where they are until
 * something reaches them: a click must not miss one.
 */
export function useFreePlace(
  popover: RefObject<HTMLElement | null>,
  position: NoticePosition,
  isEmpty: boolean,
): void {
  // After each rendering: there may be another notice.
  useLayoutEffect(() => {
    const layer = popover.current;
    // An open dialog takes the notices in: what is outside of it cannot be used.
    const around = layer?.closest('dialog, .panel');
    if (!layer || !around) return;
    if (isEmpty) return layer.removeAttribute('style');
    const look = () => place(layer, around, position);
    look();
    around.addEventListener('focusin', look);
    // No event covers all that may come below the notices.
    const stop = seconds(look);
    return () => {
      around.removeEventListener('focusin', look);
      stop();
    };
  });
}

/** Leaves the notices where they are, or else moves them to the first free room from their edge of the window. */
function place(layer: HTMLElement, around: Element, position: NoticePosition): void {
  const { scrollTop, style } = layer;
  const isAtTop = position.startsWith('top') && innerWidth >= NARROW;
  const edge = isAtTop ? 'top' : 'bottom';
  // All are distances from the edge.
  const start = isAtTop ? MARGIN : 0;
  const current = Number.parseFloat(style[edge]) || start;
  const zoom = zoomOf(layer);
  const windowHeight = innerHeight / zoom;
  const end = windowHeight - MARGIN + start;
  for (const [width, selector] of ATTEMPTS) {
    style.width = `${width}px`;
    const { scrollHeight } = layer;
    const { left, right } = layer.getBoundingClientRect();
    const taken = [...around.querySelectorAll(selector)]
      .map((element) => element.getBoundingClientRect())
      .filter((box) => box.left < right && box.right > left)
      .map(({ top, bottom }) =>
        isAtTop
          ? { near: top / zoom, far: bottom / zoom }
          : { near: windowHeight - bottom / zoom, far: windowHeight - top / zoom },
      );
    /** The height that is free from a distance on. */
    const heightFrom = (from: number) =>
      Math.min(end, ...taken.filter(({ far }) => far > from).map(({ near }) => near)) - from;
    const froms = [
      current,
      start,
      ...taken.map(({ far }) => Math.max(far, start)).sort((one, other) => one - other),
    ];
    const from =
      froms.find((one) => heightFrom(one) >= scrollHeight) ??
      froms.reduce((best, one) => (heightFrom(one) > heightFrom(best) ? one : best));
    const height = heightFrom(from);
    style.cssText = `width: ${width}px; max-height: ${height}px; ${edge}: ${from}px`;
    layer.scrollTop = scrollTop;
    if (height >= Math.min(ENOUGH, scrollHeight)) return;
  }
}
