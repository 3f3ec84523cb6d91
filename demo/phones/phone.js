import { html } from '../dom.js';
import { faceOf, TIME } from './face.js';
import { tell } from './simulator.js';

const template = document.getElementById('phone');

/** What the simulator calls the value of an action that has one. */
const VALUES = { fault: 'fault', unlink: 'reason', state: 'state' };

/** Groups of a number as the panel has them, for the eye: the text has no spaces. */
const THREES = /\d{2,3}(?=(\d{3})*$)/g;
const THREES_AND_FOUR = /\d{2,3}(?=(\d{3})*\d{4}$)|\d{4}$/g;

/** One phone on the page. */
export class Phone {
  /** @type {import('./simulator.js').PhoneRecord | undefined} */
  #record;
  element;
  /** Open or not. */
  line;

  /** @param {import('./simulator.js').PhoneRecord} record */
  constructor(record) {
    const { numero } = record;
    this.element = document.importNode(template.content, true).firstElementChild;
    this.line = this.#part('details');
    const groups = numero.match(numero.length % 3 === 2 ? THREES : THREES_AND_FOUR) ?? [numero];
    this.#part('h3').replaceChildren(...groups.map((group) => html('span', {}, group)));
    const chat = this.#part('.chat');
    chat.ariaLabel = `Mensajes recibidos en ${numero}`;
    // It scrolls, and not every browser lets the keyboard do that by itself.
    chat.tabIndex = 0;
    for (const button of this.element.querySelectorAll('button[data-action]')) {
      const { action } = button.dataset;
      button.addEventListener('click', () =>
        // The code on the screen: if it has just expired, the phone refuses it.
        this.#do(button, action, action === 'scan' ? { code: this.#record.code ?? '' } : {}),
      );
    }
    this.#onSubmit('.pairing', async (button, input) => {
      if (!(await this.#do(button, 'pair', { code: input.value }))) input.select();
    });
    this.#onSubmit('.trouble', (button, select) => {
      const [action, value = null] = select.value.split(' ');
      return this.#do(button, action, action in VALUES ? { [VALUES[action]]: value } : {});
    });
    this.draw(record);
  }

  /** @param {import('./simulator.js').PhoneRecord} record */
  draw(record) {
    const { tone, status, hint, actions } = faceOf(record);
    const unread = record.messages.filter(({ read }) => !read).length;
    this.#part('.phone').dataset.tone = tone;
    this.#part('.phone-status').textContent = status;
    this.#part('.count').textContent = unread || '';
    this.#part('.phone-hint').textContent = record.messages.length > 0 && tone === 'good' ? '' : hint;
    this.#showMessages(record.messages);
    this.#showActions(actions);
    const fault = this.#part(`option[value="fault ${record.fault}"]`)?.text;
    this.#part('.trouble span').textContent = fault ? `Falla: ${fault}` : 'Fallas';
    // A refusal is outdated once the phone is in another state; a renewed code does not change the state.
    if (this.#record?.state !== record.state) this.#part('.problem').textContent = '';
    this.#record = record;
  }

  /** Opens the phone, scrolls to it, and lights it up, after something has happened to it. */
  reveal() {
    this.line.open = true;
    this.element.scrollIntoView({ block: 'nearest' });
    this.#part('.phone').animate({ outline: ['3px solid var(--action)', '3px solid transparent'] }, 1_600);
  }

  /** The newest one is always in view. */
  #showMessages(messages) {
    const chat = this.#part('.chat');
    chat.hidden = messages.length === 0;
    chat.replaceChildren(
      ...messages.map(({ from, text, at, read }) =>
        html(
          'li',
          {},
          html('p', {}, text),
          html('small', {}, `De ${from} · ${TIME.format(at)}${read ? ' · Leído' : ''}`),
        ),
      ),
    );
    chat.scrollTop = chat.scrollHeight;
  }

  /** Shows what can be done now. If what has the focus is hidden, the focus moves on. */
  #showActions(actions) {
    const controls = [...this.element.querySelectorAll('[data-action]')];
    const focused = controls.find((control) => control.contains(document.activeElement));
    for (const control of controls) control.hidden = !actions.includes(control.dataset.action);
    if (!focused?.hidden) return;
    this.#part('.pairing').open = false;
    (controls.find(({ hidden }) => !hidden) ?? this.#part('summary')).focus({ preventScroll: true });
  }

  /** Has `act` called with the button and the field of the form in a part. */
  #onSubmit(part, act) {
    const form = this.#part(`${part} form`);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void act(form.querySelector('button'), form.querySelector('input, select'));
    });
  }

  /** Has the phone do something, unless it does already, and returns whether it did. */
  async #do(button, action, body) {
    if (button.ariaDisabled === 'true') return false;
    button.ariaDisabled = 'true';
    this.#part('.problem').textContent = '';
    const refusal = await tell(this.#record.numero, action, body);
    button.ariaDisabled = null;
    this.#part('.problem').textContent = refusal ?? '';
    return refusal === undefined;
  }

  #part(selector) {
    return this.element.querySelector(selector);
  }
}
