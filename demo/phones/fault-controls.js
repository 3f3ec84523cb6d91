import { html } from './dom.js';
import { chevron } from './drawings.js';
import { ENDINGS, PHONE_FAULTS, REPORTED_STATES } from './simulator.js';
import { texts } from './texts.js';

/** The controls for a phone's faults, in a disclosure that is one line while closed. */
export class FaultControls {
  #act;
  #summary = html('span');
  #fault = html('select', {}, ...[null, ...PHONE_FAULTS].map(faultOption));
  #isBusy = false;
  element;

  /**
   * @param {(action: 'fault' | 'report' | 'logOut' | 'scanPasskey', value: string | null,
   *   control: HTMLElement) => Promise<boolean>} act - Resolves with whether it succeeded.
   */
  constructor(act) {
    this.#act = act;
    this.#fault.addEventListener('change', () => this.#choose());
    this.element = html(
      'details',
      { class: 'faults' },
      html('summary', {}, this.#summary, chevron()),
      html('label', {}, texts.fault, this.#fault),
      this.#choice('report', texts.reports, REPORTED_STATES.map(stateOption)),
      this.#choice('logOut', texts.ends, ENDINGS.map(endingOption)),
      html('div', { class: 'faults-choice' }, this.#button('scanPasskey')),
    );
  }

  /** @param {import('./simulator.js').PhoneRecord} phone */
  show({ fault }) {
    const isWell = fault === null;
    this.#summary.textContent = isWell ? texts.summary : texts.summaryOf(texts.faults[fault]);
    this.element.dataset.fault = fault ?? '';
    if (!this.#isBusy) this.#fault.value = fault ?? '';
  }

  /** Returns options with a button that acts on the chosen one. */
  #choice(action, label, options) {
    const select = html('select', {}, ...options);
    const button = this.#button(action, select);
    return html('div', { class: 'faults-choice' }, html('label', {}, label, select), button);
  }

  /** Returns a button that acts, on the chosen option if there is a select. */
  #button(action, select) {
    const button = html('button', { type: 'button', text: texts[action] });
    button.addEventListener('click', () => this.#act(action, select?.value ?? null, button));
    return button;
  }

  /** Keeps the choice while it is being set, and resets it on failure. Choices made meanwhile are set too. */
  async #choose() {
    if (this.#isBusy) return;
    this.#isBusy = true;
    let chosen;
    let isDone;
    do {
      chosen = this.#fault.value;
      isDone = await this.#act('fault', chosen || null, this.#fault);
    } while (isDone && this.#fault.value !== chosen);
    this.#isBusy = false;
    if (!isDone) this.#fault.value = this.element.dataset.fault;
  }
}

function faultOption(fault) {
  return html('option', {
    value: fault ?? '',
    text: fault === null ? texts.noFault : texts.faults[fault],
  });
}

function stateOption(state) {
  return html('option', { value: state, text: texts.states[state] ?? state });
}

function endingOption(ending) {
  return html('option', { value: ending, text: texts.endings[ending] });
}
