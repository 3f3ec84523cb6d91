import { html } from './dom.js';
import { texts } from './texts.js';

/** The messages that a phone received; the newest one is always in view. */
export class Bubbles {
  #list = html('ol');
  /** @type {string[]} */
  #keys = [];
  element;

  /** @param {string} numero */
  constructor(numero) {
    // It scrolls, so it must be reachable by keyboard.
    const attributes = { class: 'chat', role: 'group', tabindex: '0', 'aria-label': texts.messages(numero) };
    this.element = html('div', attributes, this.#list);
  }

  /** @param {import('./simulator.js').PhoneMessage[]} messages */
  show(messages) {
    this.element.hidden = messages.length === 0;
    const keys = messages.map(({ at, from, text, read }) => `${at} ${from} ${text} ${read}`);
    if (keys.length === this.#keys.length && keys.at(-1) === this.#keys.at(-1)) return;
    this.#keys = keys;
    this.#list.replaceChildren(...messages.map(bubble));
    this.element.scrollTop = this.element.scrollHeight;
  }
}

function bubble({ text, from, at, read }) {
  const attributes = { datetime: new Date(at).toISOString(), title: texts.dateAndTime(at) };
  return html(
    'li',
    { class: 'bubble' },
    html('span', { class: 'bubble-from', text: texts.from(from) }),
    html('span', { class: 'bubble-text', text }),
    html(
      'span',
      { class: 'bubble-foot' },
      html('time', { ...attributes, text: texts.time(at) }),
      ...(read ? [html('span', { class: 'bubble-read', text: texts.isRead })] : []),
    ),
  );
}
