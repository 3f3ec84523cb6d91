import { html } from './dom.js';
import { displayOf } from './phone-display.js';
import { PhoneView } from './phone-view.js';
import { texts } from './texts.js';

/** From this many phones on there is a filter. */
const MANY = 9;
/** The most phones that are shown at once. */
const MOST = 24;

/**
 * The phones in the drawer: all of a few; of many, those whose session asks for something, and those that were
 * revealed. The filter finds the others. A phone that is shown stays, so that nothing moves away from the pointer.
 */
export class PhoneList {
  #store;
  #act;
  #scroller;
  /** @type {Map<string, PhoneView>} */
  #views = new Map();
  #isCounting = false;
  #input = html('input', { type: 'search', inputmode: 'tel', autocomplete: 'off', spellcheck: 'false' });
  #filter = html('label', { class: 'filter', hidden: true }, texts.filter, this.#input);
  #count = html('p', { class: 'phones-count', role: 'status' });
  // Without markers, some screen readers need the role to announce a list.
  #list = html('ul', { class: 'phones', role: 'list' });

  /**
   * @param {import('./store.js').PhoneStore} store
   * @param {ConstructorParameters<typeof PhoneView>[1]} act
   * @param {Element} scroller
   */
  constructor(store, act, scroller) {
    this.#store = store;
    this.#act = act;
    this.#scroller = scroller;
    this.#input.addEventListener('input', () => this.#search());
    this.#input.addEventListener('keydown', (event) => {
      // Escape first clears the filter, and closes the sheet only the next time.
      if (event.key === 'Escape' && this.#input.value !== '') event.stopPropagation();
    });
    scroller.append(this.#filter, this.#count, this.#list);
    this.#showCount();
  }

  /** Draws a phone's current state. */
  update(numero) {
    const view = this.#views.get(numero);
    if (view) this.#draw(numero, view);
    else if (this.#views.size < MOST && this.#belongs(this.#store.get(numero))) this.#add(numero);
    this.#countSoon();
  }

  remove(numero) {
    this.#drop(numero);
    this.#countSoon();
  }

  /** Scrolls to a phone and highlights it, unless the filter excludes it. */
  reveal(numero) {
    const view = this.#show(numero);
    if (!view) return;
    view.highlight();
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    view.element.scrollIntoView({ block: 'nearest', behavior: calm ? 'instant' : 'smooth' });
  }

  /** Starts with this phone, without scrolling the page. */
  begin(numero) {
    const view = this.#show(numero);
    if (!view) return;
    const { top } = this.#scroller.getBoundingClientRect();
    this.#scroller.scrollTop += view.element.getBoundingClientRect().top - top;
    view.highlight();
  }

  /** Returns the view of a phone, in the place of another one if there are too many. */
  #show(numero) {
    if (!this.#views.has(numero) && this.#isFound(numero) && this.#store.get(numero)) {
      if (this.#views.size >= MOST) {
        const shown = [...this.#views.keys()];
        this.#drop(shown.find((one) => !asksForSomething(this.#store.get(one))) ?? shown[0]);
      }
      this.#add(numero);
      this.#countSoon();
    }
    return this.#views.get(numero);
  }

  #add(numero) {
    const view = new PhoneView(numero, this.#act);
    this.#views.set(numero, view);
    this.#draw(numero, view);
    this.#list.append(view.element);
  }

  #drop(numero) {
    this.#views.get(numero)?.element.remove();
    this.#views.delete(numero);
  }

  #draw(numero, view) {
    view.draw(this.#store.get(numero), this.#store.oldCode(numero));
  }

  /** The filter's text without spaces, which people type and numeros do not have. */
  get #wanted() {
    return this.#input.value.replace(/\s/g, '');
  }

  #isFound(numero) {
    return numero.includes(this.#wanted);
  }

  /** Whether a phone is shown unasked. */
  #belongs(phone) {
    if (this.#wanted !== '') return this.#isFound(phone.numero);
    return this.#store.size <= MOST || asksForSomething(phone);
  }

  #search() {
    const belonging = this.#store.all.filter((phone) => this.#belongs(phone)).slice(0, MOST);
    const numeros = new Set(belonging.map(({ numero }) => numero));
    for (const numero of [...this.#views.keys()]) if (!numeros.has(numero)) this.#drop(numero);
    for (const numero of numeros) {
      if (!this.#views.has(numero)) this.#add(numero);
      // In the order of the store, also where some were there.
      this.#list.append(this.#views.get(numero).element);
    }
    this.#showCount();
  }

  /** Counts once for all phones of a list. */
  #countSoon() {
    if (this.#isCounting) return;
    this.#isCounting = true;
    queueMicrotask(() => {
      this.#isCounting = false;
      this.#showCount();
    });
  }

  #showCount() {
    const { size } = this.#store;
    // A filter in use stays, or what it hides could not be shown again.
    this.#filter.hidden = size < MANY && this.#input.value === '';
    const text = this.#countText(size);
    // Screen readers announce the text again when it is set again.
    if (this.#count.textContent !== text) this.#count.textContent = text;
  }

  #countText(size) {
    if (size === 0) return texts.none;
    if (this.#wanted === '') return this.#views.size < size ? texts.asking(this.#views.size, size) : '';
    const found = this.#store.all.filter(({ numero }) => this.#isFound(numero)).length;
    if (found === 0) return texts.noneFound;
    return this.#views.size < found ? texts.firstOf(this.#views.size, found) : texts.found(found);
  }
}

function asksForSomething(phone) {
  return displayOf(phone).tone !== 'good';
}
