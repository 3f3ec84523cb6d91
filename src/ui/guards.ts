import type { KeyboardEvent, MouseEvent } from 'react';

/**
 * A double click is meant as one. Where the first half was answered at once, the second would send another
 * message, or press what has come to lie under the pointer: the confirmation of a dialog.
 */
export function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
}

/** So is a key that is held: Enter would press its button, or send its form, once for each repetition. */
export function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.repeat) event.preventDefault();
}
