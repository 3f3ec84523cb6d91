import { Bubbles } from './bubbles.js';
import { Camera } from './camera.js';
import { CodeField } from './code-field.js';
import { html } from './dom.js';
import { sceneOf, signal } from './drawings.js';
import { FaultControls } from './fault-controls.js';
import { displayOf } from './phone-display.js';
import { texts } from './texts.js';

/** In the order of the buttons on the phone; impossible actions are hidden. */
const BUTTONS = /** @type {const} */ ([
  ['scan', 'filled'],
  ['typeCode', 'flat'],
  ['scanOld', 'quiet'],
  ['signPasskey', 'filled'],
  ['recoverLine', 'filled'],
  ['read', 'flat'],
  ['loseLine', 'flat'],
  ['unlink', 'flat danger'],
]);

let lastId = 0;

/** One drawn phone. */
export class PhoneView {
  #title;
  #status = html('p', { class: 'phone-status' });
  #bubbles;
  #scene = html('div', { class: 'phone-scene' });
  #hint = html('p', { class: 'phone-hint' });
  #refusal = html('p', { class: 'phone-refusal' });
  /** @type {Map<import('./phone-display.js').Action, HTMLButtonElement>} */
  #buttons = new Map();
  #code;
  #faults;
  #screen = html('div', { class: 'phone-screen' });
  #camera = new Camera(this.#screen);
  #state = '';
  #phone;
  element;

  /**
   * @param {string} numero
   * @param {(action: import('./phone-display.js').Action | 'fault' | 'report' | 'logOut' |
   *   'scanPasskey', numero: string,
   *   value?: string | null) => Promise<string | undefined>} act - Resolves with the sentence of a refusal.
   */
  constructor(numero, act) {
    lastId += 1;
    this.#title = html('h3', { id: `phone-${lastId}`, tabindex: '-1', text: numero });
    this.#bubbles = new Bubbles(numero);
    for (const [action, className] of BUTTONS) {
      const button = html('button', { type: 'button', class: className, text: texts[action] });
      this.#buttons.set(action, button);
      if (action === 'typeCode') {
        const link = (code, control) => this.#press(control, () => act(action, numero, code));
        this.#code = new CodeField(button, `${this.#title.id}-code`, link);
        continue;
      }
      const run = () => act(action, numero);
      const press = action === 'scan' ? () => this.#scan(numero, run) : run;
      button.addEventListener('click', () => this.#press(button, press));
    }
    this.#faults = new FaultControls((action, value, control) =>
      this.#press(control, () => act(action, numero, value)),
    );
    this.#phone = html('article', { class: 'phone', 'aria-labelledby': this.#title.id }, this.#screen);
    this.#build();
    this.element = html('li', { class: 'phones-item' }, this.#phone);
    this.element.addEventListener('animationend', ({ animationName }) => {
      if (animationName === 'phone-news') delete this.element.dataset.news;
    });
  }

  /** @param {import('./simulator.js').PhoneRecord} phone */
  draw(phone, oldCode) {
    const { tone, scene, status, hint, isNews, actions } = displayOf(phone, oldCode);
    this.#phone.dataset.tone = tone;
    this.#status.textContent = status;
    this.#hint.textContent = phone.messages.length > 0 && !isNews ? '' : hint;
    this.#bubbles.show(phone.messages);
    this.#scene.hidden = phone.messages.length > 0;
    if (this.#scene.firstElementChild?.dataset.scene !== scene) this.#scene.replaceChildren(sceneOf(scene));
    this.#show(actions);
    this.#faults.show(phone);
    // A refusal is outdated once the phone is in another state; a renewed code does not change the state.
    if (this.#state !== phone.state) this.#refusal.textContent = '';
    this.#state = phone.state;
  }

  /** Highlights the phone, after something has happened to it. */
  highlight() {
    delete this.element.dataset.news;
    // Reading a layout property applies the removal, so that the animation restarts.
    void this.element.offsetWidth;
    this.element.dataset.news = '';
  }

  #build() {
    const top = html('header', { class: 'phone-top' }, this.#title, this.#status, signal());
    const buttons = html('div', { class: 'phone-buttons' }, ...this.#buttons.values());
    const foot = html(
      'div',
      { class: 'phone-foot' },
      this.#refusal,
      this.#hint,
      buttons,
      this.#code.element,
      this.#faults.element,
    );
    this.#screen.append(top, this.#scene, this.#bubbles.element, foot);
  }

  /** The code is read where the camera has framed it: the phone and the panel succeed together. */
  async #scan(numero, run) {
    await this.#camera.read(numero);
    const refusal = await run();
    void this.#camera.end(!refusal);
    return refusal;
  }

  /** Shows the buttons of these actions. If a focused button is hidden, the focus moves on. */
  #show(actions) {
    const controls = [...this.#buttons.values(), this.#code.element];
    const focused = controls.find((control) => control.contains(document.activeElement));
    for (const [action, button] of this.#buttons) button.hidden = !actions.includes(action);
    if (!actions.includes('typeCode')) this.#code.close();
    if (focused?.hidden) (this.#buttons.get(actions[0]) ?? this.#title).focus({ preventScroll: true });
  }

  /** Runs an action, unless one is running, and returns whether it succeeded. */
  async #press(button, act) {
    if (button.ariaDisabled === 'true') return false;
    button.ariaDisabled = 'true';
    this.#refusal.textContent = '';
    const refusal = await act();
    button.ariaDisabled = null;
    if (refusal) this.#refusal.textContent = refusal;
    return !refusal;
  }
}
