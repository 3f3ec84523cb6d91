import { html } from './dom.js';
import { texts } from './texts.js';

/** The field to type a pairing code into; a button of the phone opens and closes it. */
export class CodeField {
  #opener;
  #input;
  element;

  /**
   * @param {HTMLButtonElement} opener
   * @param {string} id
   * @param {(code: string, control: HTMLElement) => Promise<boolean>} link - Resolves with whether the code was
   *   accepted.
   */
  constructor(opener, id, link) {
    this.#opener = opener;
    this.#input = html('input', { autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false' });
    const submit = html('button', { class: 'filled', text: texts.link });
    this.element = html(
      'form',
      { class: 'code-field', id, hidden: true },
      html('label', {}, texts.codeField, this.#input),
      submit,
    );
    opener.setAttribute('aria-controls', id);
    opener.ariaExpanded = 'false';
    opener.addEventListener('click', () => this.#set(this.element.hidden));
    this.element.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (!(await link(this.#input.value, submit))) this.#input.select();
    });
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      // The first Escape is not the drawer's.
      event.preventDefault();
      this.#set(false);
      opener.focus();
    });
  }

  close() {
    if (!this.element.hidden) this.#set(false);
  }

  #set(open) {
    this.element.hidden = !open;
    this.#opener.ariaExpanded = String(open);
    this.#input.value = '';
    if (open) this.#input.focus();
  }
}
