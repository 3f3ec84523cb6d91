/** What the panel makes of keys and clicks, and which of them it keeps from the page around it. */
import type { MouseEvent, KeyboardEvent as ReactKeyboardEvent } from 'react';

/**
 * Makes a double click one click. Its second half would send another message, or press what has appeared under the
 * pointer: the confirmation of a dialog.
 */
export function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Escape ends something, unless it has ended something else already. */
export function onEscape(event: ReactKeyboardEvent, end: () => void): void {
  if (event.key !== 'Escape' || event.isDefaultPrevented()) return;
  event.preventDefault();
  end();
}

/** No instanceof: what was made in an iframe has the classes of that window. */
export function isElement(target: EventTarget | null): target is Element {
  return target !== null && 'getAttribute' in target;
}

/**
 * How many pixels of the screen one pixel in an element's styles is: the page around it may have `zoom`. Browsers that do
 * not tell (Safari) measure in pixels of the styles.
 */
export const zoomOf = (element: Element): number => element.currentCSSZoom ?? 1;

/** Where keys are text. */
export const FIELD = 'input:not([type="checkbox"]), select';
/** What opens above the panel, and closes by Escape. */
export const LAYER = 'dialog, .menu';

/**
 * Listens at the root of the panel, and stops the keys that the panel uses, from press to release: a dialog, form or shortcut
 * of the page must not use them too. Listeners of the page that capture have heard them by then.
 */
export class KeyStop implements EventListenerObject {
  /** The codes of the used keys that are down. */
  readonly #used = new Set<string>();

  handleEvent(event: KeyboardEvent): void {
    const { type, key, code } = event;
    // Before all others, only the keys of an input method: Escape takes back what it would insert.
    if (event.eventPhase === Event.CAPTURING_PHASE && !event.isComposing) return;
    if (type === 'keydown') {
      // Held, Enter would press its button, or send its form, once for each repetition, and Escape would close what is around.
      if (event.repeat && /^E(nter|scape)$/.test(key)) event.preventDefault();
      if (isUsed(event)) this.#used.add(code);
      else this.#used.delete(code);
    }
    if (type === 'keyup' ? this.#used.delete(code) : this.#used.has(code)) event.stopPropagation();
  }
}

/** Whether a key that was pressed does something in the panel, whose own listeners have heard it. */
function isUsed(event: KeyboardEvent): boolean {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !isElement(target)) return false;
  return (
    event.isComposing ||
    event.defaultPrevented ||
    /^( |Enter)$/.test(key) ||
    (key === 'Escape' && !!target.closest(LAYER)) ||
    (/^(.|Backspace|Delete|Arrow.*|Home|End)$/.test(key) && target.matches(FIELD))
  );
}
