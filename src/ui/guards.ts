import type { MouseEvent } from 'react';

/**
 * Makes a double click one click. Its second half would send another message, or press what has appeared under the
 * pointer: the confirmation of a dialog.
 */
export function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
}

/** No instanceof: what was made in an iframe has the classes of that window. */
export function isElement(target: EventTarget | null): target is Element {
  return target !== null && 'getAttribute' in target;
}
