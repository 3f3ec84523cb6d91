/** Which keys the panel keeps from the page around it. */
import { isElement } from './guards.ts';

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
    if (type === 'keydown') {
      // Held, it would press its button, or send its form, once for each repetition.
      if (key === 'Enter' && event.repeat) event.preventDefault();
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
    event.defaultPrevented ||
    /^( |Enter)$/.test(key) ||
    (key === 'Escape' && target.closest(LAYER) !== null) ||
    (/^(.|Backspace|Delete|Arrow.*|Home|End)$/.test(key) && target.matches(FIELD))
  );
}
