import { html } from './dom.js';
import { chevron, phoneIcon } from './drawings.js';
import { texts } from './texts.js';

/** From this width on the phones fit beside the panel; drawer.css has the same number. */
const WIDE = matchMedia('(width >= 1100px)');

/**
 * The drawer: a column beside the panel, open at first; on a narrow window a sheet over it, closed at first. One button
 * opens and closes both; the focus stays on it, and the opened content follows.
 */
export class Drawer {
  #behind;
  #toggle;
  #scrim = html('div', { class: 'drawer-scrim' });
  #onOpen;
  #isOpen = false;
  body = html('div', { class: 'drawer-body', id: 'phones' });
  element;

  /**
   * @param {Iterable<HTMLElement>} behind - The elements below the sheet.
   * @param {() => void} onOpen
   */
  constructor(behind, onOpen) {
    this.#behind = behind;
    this.#onOpen = onOpen;
    this.#toggle = html(
      'button',
      { type: 'button', class: 'drawer-toggle', id: 'phones-toggle', 'aria-controls': this.body.id },
      phoneIcon(),
      html('span', { text: texts.title }),
      chevron(),
    );
    this.#toggle.addEventListener('click', () => this.#set(!this.#isOpen));
    this.#scrim.addEventListener('click', () => this.#set(false));
    const heading = html('h2', { id: 'phones-title' }, this.#toggle);
    const attributes = { class: 'drawer', 'aria-labelledby': 'phones-toggle' };
    this.element = html('aside', attributes, heading, this.body);
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !WIDE.matches && !event.defaultPrevented) this.#set(false);
    });
    // When the window gets narrow, a sheet must not cover the panel unasked.
    WIDE.addEventListener('change', () => this.#set(WIDE.matches));
    this.#set(WIDE.matches);
  }

  get isOpen() {
    return this.#isOpen;
  }

  /** Adds it to the page, with a skip link at the top, since the panel may hold a thousand cards. */
  attach() {
    const skip = html('a', { class: 'skip', href: '#phones-toggle', text: texts.skip });
    document.body.prepend(skip);
    document.body.append(this.#scrim, this.element);
    document.body.classList.add('has-drawer');
  }

  #set(open) {
    if (!open && this.body.contains(document.activeElement)) this.#toggle.focus();
    this.#isOpen = open;
    const covers = open && !WIDE.matches;
    for (const element of this.#behind) element.inert = covers;
    this.#scrim.hidden = !covers;
    this.body.hidden = !open;
    this.element.toggleAttribute('data-closed', !open);
    this.#toggle.ariaExpanded = String(open);
    if (open) this.#onOpen();
  }
}
