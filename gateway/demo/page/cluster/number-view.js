import { html } from '../phones/dom.js';
import { texts } from './texts.js';

/** @typedef {import('../../cluster.ts').View['numbers'][number]} NumberView */

/** A number on the board: the same element wherever it moves. */
export class NumberChip {
  #state = html('span', { class: 'number-state' });
  #scan;
  #tone;
  element;

  /**
   * @param {string} numero
   * @param {(path: string) => void} act
   */
  constructor(numero, act) {
    this.#scan = html('button', {
      type: 'button',
      class: 'scan',
      text: texts.scan,
      'aria-label': texts.scanOf(numero),
      hidden: true,
    });
    this.#scan.addEventListener('click', () => act(`phones/${numero}/scan`));
    this.element = html(
      'li',
      { class: 'number', tabindex: '-1' },
      html('span', { class: 'number-name', text: numero }),
      this.#state,
      this.#scan,
    );
  }

  /** @param {NumberView} number */
  show(number) {
    const tone = toneOf(number);
    if (tone !== this.#tone) this.element.dataset.tone = tone;
    this.#tone = tone;
    const text = stateText(number);
    if (this.#state.textContent !== text) this.#state.textContent = text;
    // The button that was pressed is gone: the keyboard stays at its number.
    const hadFocus = document.activeElement === this.#scan;
    this.#scan.hidden = !number.hasCode || !isCarried(number);
    if (hadFocus && this.#scan.hidden) this.element.focus({ preventScroll: true });
  }
}

/** Whether a living process has the number. */
export function isCarried({ owner, isStranded }) {
  return owner !== null && !isStranded;
}

function toneOf(number) {
  if (!isCarried(number)) return 'lost';
  if (number.hasCode) return 'code';
  if (number.state === 'CONNECTED') return 'good';
  return number.waiting ? 'busy' : 'off';
}

function stateText(number) {
  const { states } = texts;
  if (number.owner === null) return states.none;
  if (number.isStranded) return states.stranded;
  if (number.hasCode) return states.code;
  return states[number.state] ?? number.state;
}
