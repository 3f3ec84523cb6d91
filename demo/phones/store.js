/** @typedef {import('./simulator.js').PhoneRecord} PhoneRecord */

/**
 * @typedef {object} PhoneListener
 * @property {(phone: PhoneRecord, before: PhoneRecord | undefined, live: boolean) => void} changed - `live` when it
 *   happened just now, and was not only found in a list.
 * @property {(numero: string) => void} removed
 */

/** The phones that the page knows, in the gateway's order, and their previous codes. */
export class PhoneStore {
  /** @type {Map<string, PhoneRecord>} */
  #phones = new Map();
  /** @type {Map<string, string>} */
  #oldCodes = new Map();
  /** @type {Set<PhoneListener>} */
  #listeners = new Set();

  /** @param {PhoneListener} listener */
  subscribe(listener) {
    this.#listeners.add(listener);
  }

  /** @param {string} numero */
  get(numero) {
    return this.#phones.get(numero);
  }

  /** The code that this session showed before the current one, as a photo of it would show. */
  oldCode(numero) {
    return this.#oldCodes.get(numero);
  }

  get size() {
    return this.#phones.size;
  }

  get all() {
    return [...this.#phones.values()];
  }

  /**
   * Replaces the list by the gateway's, except for phones with newer pushes.
   *
   * @param {PhoneRecord[]} phones
   * @param {Set<string>} newer
   */
  replaceAll(phones, newer = new Set()) {
    const listed = new Set(phones.map(({ numero }) => numero));
    for (const numero of [...this.#phones.keys()]) {
      if (!listed.has(numero) && !newer.has(numero)) this.remove(numero);
    }
    const changes = phones
      .filter(({ numero }) => !newer.has(numero))
      .map((phone) => ({ phone, before: this.#set(phone) }));
    // Listeners hear of the first one when all are there.
    for (const { phone, before } of changes) this.#tell(phone, before, false);
  }

  /** @param {PhoneRecord} phone */
  put(phone) {
    this.#tell(phone, this.#set(phone), true);
  }

  /** @param {string} numero */
  remove(numero) {
    this.#oldCodes.delete(numero);
    if (!this.#phones.delete(numero)) return;
    for (const listener of this.#listeners) listener.removed(numero);
  }

  /** Returns what was known of the phone before. */
  #set(phone) {
    const { numero } = phone;
    const before = this.#phones.get(numero);
    this.#phones.set(numero, phone);
    // A photo of a code makes sense, even if it is refused, until the session is restarted or linked.
    if (phone.linked || phone.state === 'starting') this.#oldCodes.delete(numero);
    else if (before?.code && before.code !== phone.code) this.#oldCodes.set(numero, before.code);
    return before;
  }

  #tell(phone, before, live) {
    for (const listener of this.#listeners) listener.changed(phone, before, live);
  }
}
