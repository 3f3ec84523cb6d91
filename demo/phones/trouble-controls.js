import { html } from './dom.js';
import { chevron } from './drawings.js';
import { REPORTED_STATES, TROUBLES } from './simulator.js';
import { texts } from './texts.js';

/** What can go wrong with a phone, behind a disclosure: a phone that is well shows one quiet line of it. */
export class TroubleControls {
  #act;
  #summary = html('span');
  #trouble = html('select', {}, ...[null, ...TROUBLES].map(troubleOption));
  #state = html('select', {}, ...REPORTED_STATES.map(stateOption));
  #isBusy = false;
  element;

  /**
   * @param {(action: 'trouble' | 'report', value: string | null, control: HTMLElement) => Promise<boolean>} act -
   *   Gives whether it was done.
   */
  constructor(act) {
    this.#act = act;
    const report = html('button', { type: 'button', text: texts.report });
    report.addEventListener('click', () => act('report', this.#state.value, report));
    this.#trouble.addEventListener('change', () => this.#choose());
    this.element = html(
      'details',
      { class: 'troubles' },
      html('summary', {}, this.#summary, chevron()),
      html('label', {}, texts.trouble, this.#trouble),
      html('div', { class: 'troubles-report' }, html('label', {}, texts.reports, this.#state), report),
    );
  }

  /** @param {import('./simulator.js').Phone} phone */
  show({ trouble }) {
    const isWell = trouble === null;
    this.#summary.textContent = isWell ? texts.summary : texts.summaryOf(texts.troubles[trouble]);
    this.element.dataset.trouble = trouble ?? '';
    if (!this.#isBusy) this.#trouble.value = trouble ?? '';
  }

  /** The choice stays while it is under way, and falls back when it could not be had. Who goes on choosing is heard. */
  async #choose() {
    if (this.#isBusy) return;
    this.#isBusy = true;
    let chosen;
    let isDone;
    do {
      chosen = this.#trouble.value;
      isDone = await this.#act('trouble', chosen || null, this.#trouble);
    } while (isDone && this.#trouble.value !== chosen);
    this.#isBusy = false;
    if (!isDone) this.#trouble.value = this.element.dataset.trouble;
  }
}

function troubleOption(trouble) {
  return html('option', {
    value: trouble ?? '',
    text: trouble === null ? texts.noTrouble : texts.troubles[trouble],
  });
}

function stateOption(state) {
  return html('option', { value: state, text: texts.states[state] ?? state });
}
