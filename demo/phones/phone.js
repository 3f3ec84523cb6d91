import { html } from '../dom.js';
import { faceOf } from './face.js';
import { tell } from './simulator.js';

const template = document.getElementById('phone');
const TIME = new Intl.DateTimeFormat('es', { hour: '2-digit', minute: '2-digit' });

/** What the simulator calls the value of an action that has one. */
const VALUES = { fault: 'fault', unlink: 'reason', state: 'state' };

/** Decoration: what they show is also said beside them. */
const DRAWINGS = {
  code: 'M14 30V18a4 4 0 0 1 4-4h12M66 14h12a4 4 0 0 1 4 4v12M82 66v12a4 4 0 0 1-4 4H66M30 82H18a4 4 0 0 1-4-4V66M32 32h12v12H32zM54 32h10v12H54zM32 54h12v10H32zM54 54h2M64 54v2M54 64h10',
  asleep: 'M66 56a25 25 0 1 1-27-34 20 20 0 0 0 27 34zM62 18h14L62 34h14M80 42h8l-8 9h8',
  chat: 'M20 22h42a8 8 0 0 1 8 8v18a8 8 0 0 1-8 8H38L24 67V56h-4a8 8 0 0 1-8-8V30a8 8 0 0 1 8-8zM78 40h2a6 6 0 0 1 6 6v18a6 6 0 0 1-6 6h-2v8l-10-8H54M26 34h30M26 44h18',
  noLine: 'M14 42a51 51 0 0 1 68 0M27 55a32 32 0 0 1 42 0M39 68a14 14 0 0 1 18 0M48 79v1M20 20l56 60',
};

/** One phone on the page. */
export class Phone {
  #numero;
  /** @type {import('./simulator.js').PhoneRecord | undefined} */
  #record;
  #messages = '';
  element;

  /** @param {string} numero */
  constructor(numero) {
    this.#numero = numero;
    this.element = document.importNode(template.content, true).firstElementChild;
    this.#part('h3').textContent = numero;
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
  }

  /** @param {import('./simulator.js').PhoneRecord} record */
  draw(record) {
    const { tone, drawing, status, hint, actions } = faceOf(record);
    const hasMessages = record.messages.length > 0;
    this.#part('.phone').dataset.tone = tone;
    this.#part('.phone-status').textContent = status;
    this.#part('svg').toggleAttribute('hidden', hasMessages);
    this.#part('path').setAttribute('d', DRAWINGS[drawing]);
    this.#part('.phone-hint').textContent = hasMessages && tone === 'good' ? '' : hint;
    this.#showMessages(record.messages);
    this.#showActions(actions);
    const fault = this.#part(`option[value="fault ${record.fault}"]`)?.text;
    this.#part('.trouble summary').textContent = fault ? `Falla: ${fault}` : 'Fallas';
    // A refusal is outdated once the phone is in another state; a renewed code does not change the state.
    if (this.#record?.state !== record.state) this.#part('.problem').textContent = '';
    this.#record = record;
  }

  /** Scrolls to the phone and lights it up, after something has happened to it. */
  reveal() {
    this.element.scrollIntoView({ block: 'nearest' });
    this.#part('.phone').animate({ outline: ['3px solid var(--action)', '3px solid transparent'] }, 1_600);
  }

  /** The newest one is always in view. */
  #showMessages(messages) {
    const key = JSON.stringify(messages);
    if (key === this.#messages) return;
    this.#messages = key;
    const chat = this.#part('.chat');
    chat.hidden = messages.length === 0;
    chat.replaceChildren(
      ...messages.map(({ from, text, at, read }) =>
        html(
          'li',
          {},
          html('strong', {}, `De ${from}`),
          html('p', {}, text),
          html('small', {}, `${TIME.format(at)}${read ? ' · Leído' : ''}`),
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
    (controls.find(({ hidden }) => !hidden) ?? this.#part('h3')).focus({ preventScroll: true });
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
    const refusal = await tell(this.#numero, action, body);
    button.ariaDisabled = null;
    this.#part('.problem').textContent = refusal ?? '';
    return refusal === undefined;
  }

  #part(selector) {
    return this.element.querySelector(selector);
  }
}
