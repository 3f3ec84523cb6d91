import { html } from './dom.js';
import { texts } from './texts.js';

/** Messages within this time are announced in one sentence. */
const BATCH_MS = 1_000;
/** A long message is read on its phone, not here. */
const MAX_LENGTH = 140;

/** Announces events of the phones to screen readers, batched. */
export class PhoneAnnouncer {
  element = html('p', { class: 'visually-hidden', role: 'status' });
  /** @type {string[]} */
  #messages = [];

  /** Announces a sentence now, as the result of the person's action. */
  say(sentence) {
    // Live regions announce only changes, so the same sentence again needs another text.
    this.element.textContent = this.element.textContent === sentence ? `${sentence}\u00a0` : sentence;
  }

  /** Announces a received message; several within a moment are only counted. */
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
