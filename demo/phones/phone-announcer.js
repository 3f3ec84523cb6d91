import { html } from './dom.js';
import { texts } from './texts.js';

/** News of this long are told in one sentence. */
const BATCH_MS = 1_000;
/** A long message is read out on its phone, not here. */
const MAX_LENGTH = 140;

/** Tells screen readers what happens on the phones, without talking all the time. */
export class PhoneAnnouncer {
  element = html('p', { class: 'visually-hidden', role: 'status' });
  /** @type {string[]} */
  #messages = [];

  /** Says something now, as the answer to what the person did. */
  say(sentence) {
    // The same sentence again is news to the person, and none to a region that does not change.
    this.element.textContent = this.element.textContent === sentence ? `${sentence}\u00a0` : sentence;
  }

  /** A message came in; several within a moment are only counted. */
  message(numero, text) {
    this.#messages.push(texts.heard(numero, text.slice(0, MAX_LENGTH)));
    if (this.#messages.length > 1) return;
    setTimeout(() => {
      const [first, ...others] = this.#messages;
      this.#messages = [];
      this.say(others.length === 0 ? first : texts.heardMany(others.length + 1));
    }, BATCH_MS);
  }
}
