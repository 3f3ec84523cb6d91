import { html } from '../phones/dom.js';
import { texts } from './texts.js';

/** @typedef {import('../../cluster.ts').View['servers'][number]} ServerView */

/** What one can do with a server, by its phase. */
const ACTIONS = {
  starting: [],
  up: ['drain', 'stop', 'kill'],
  draining: ['stop', 'kill'],
  stopping: ['kill'],
  down: ['start'],
};

let count = 0;

/** A server's column: how it is, its numbers, and its buttons. */
export class ServerColumn {
  #phase = html('p', { class: 'server-phase' });
  #process = html('p', { class: 'server-process' });
  #total = html('p', { class: 'server-total' });
  #here = html('p', { class: 'server-here', text: texts.here, hidden: true });
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  #heading;
  list;
  element;

  /**
   * @param {string} name
   * @param {(path: string) => void} act
   */
  constructor(name, act) {
    count += 1;
    const id = `server-${count}`;
    this.#heading = html('h2', { id, text: name, tabindex: '-1' });
    this.list = html('ul', { class: 'numbers', role: 'list', 'aria-label': `Números del ${name}` });
    for (const [action, text] of Object.entries(texts.actions)) {
      const button = html('button', {
        type: 'button',
        class: action,
        text,
        'aria-label': texts.actionOn(text, name),
        hidden: true,
      });
      button.addEventListener('click', () => act(`servers/${name}/${action}`));
      this.#buttons.set(action, button);
    }
    this.element = html(
      'section',
      { class: 'server', 'aria-labelledby': id },
      html('header', { class: 'server-head' }, this.#heading, this.#phase, this.#process, this.#here),
      html('div', { class: 'server-buttons' }, ...this.#buttons.values()),
      this.#total,
      this.list,
    );
  }

  /**
   * @param {ServerView} server
   * @param {boolean} isHere - Whether it serves this panel.
   * @param {number} owned - How many numbers are its own, also after its end until others may take them.
   * @param {number} carried - How many of them it carries.
   */
  show({ phase, end, port, pid }, isHere, owned, carried) {
    this.element.dataset.phase = phase;
    this.element.toggleAttribute('data-here', isHere);
    this.#here.hidden = !isHere;
    setText(this.#phase, phaseText(phase, end, carried));
    setText(this.#process, texts.process(port, pid) || texts.noProcess);
    setText(this.#total, texts.total(owned, carried));

    const buttons = [...this.#buttons.values()];
    const focused = buttons.find((button) => button === document.activeElement);
    for (const [action, button] of this.#buttons) button.hidden = !ACTIONS[phase].includes(action);
    // The button that was pressed is gone: the keyboard stays in its column.
    if (focused?.hidden) {
      const next = buttons.find(({ hidden }) => !hidden) ?? this.#heading;
      next.focus({ preventScroll: true });
    }
  }
}

function phaseText(phase, end, carried) {
  if (phase === 'down') return texts.phases.down[end ?? 'failed'];
  return texts.phases[phase === 'draining' && carried === 0 ? 'drained' : phase];
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
