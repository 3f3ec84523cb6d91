import { html } from './dom.js';
import { PhoneView } from './phone-view.js';
import { texts } from './texts.js';

/** From this many phones on there is a filter. */
const MANY = 9;

/** The phones in the drawer. Only those near the viewport are drawn. */
export class PhoneList {
  #store;
  #act;
  #scroller;
  /** @type {Map<string, PhoneView>} */
  #views = new Map();
  /** @type {WeakMap<Element, string>} */
  #numeros = new WeakMap();
  /** @type {Set<string>} */
  #inReach = new Set();
  #observer;
  #input = html('input', { type: 'search', inputmode: 'tel', autocomplete: 'off', spellcheck: 'false' });
  #filter = html('label', { class: 'filter', hidden: true }, texts.filter, this.#input);
  #count = html('p', { class: 'visually-hidden', role: 'status' });
  #none = html('p', { class: 'phones-none', text: texts.none });
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
    this.#observer = new IntersectionObserver((entries) => this.#moved(entries), {
      root: scroller,
      rootMargin: '100% 0px',
    });
    this.#input.addEventListener('input', () => this.#search());
    this.#input.addEventListener('keydown', (event) => {
      // Escape first clears the filter, and closes the sheet only the next time.
      if (event.key === 'Escape' && this.#input.value !== '') event.stopPropagation();
    });
    scroller.append(this.#filter, this.#count, this.#none, this.#list);
  }

  /** Draws a phone's current state. */
  update(numero) {
    const view = this.#views.get(numero);
    if (!view) this.#add(numero);
    else if (this.#inReach.has(numero)) this.#draw(numero, view);
  }

  remove(numero) {
    const view = this.#views.get(numero);
    if (!view) return;
    this.#observer.unobserve(view.element);
    this.#inReach.delete(numero);
    this.#views.delete(numero);
    view.element.remove();
    this.#counted();
  }

  /** Scrolls to a phone and highlights it. */
  reveal(numero) {
    const view = this.#views.get(numero);
    if (!view || view.element.hidden) return;
    // First drawn at its own height, which may be more than what is reserved for it.
    this.#draw(numero, view);
    view.highlight();
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    view.element.scrollIntoView({ block: 'nearest', behavior: calm ? 'instant' : 'smooth' });
  }

  /** Starts with this phone, without scrolling the page. */
  begin(numero) {
    const view = this.#views.get(numero);
    if (!view) return;
    const { top } = this.#scroller.getBoundingClientRect();
    this.#scroller.scrollTop += view.element.getBoundingClientRect().top - top;
    view.highlight();
  }

  #add(numero) {
    const view = new PhoneView(numero, this.#act);
    this.#views.set(numero, view);
    this.#numeros.set(view.element, numero);
    view.element.hidden = !numero.includes(this.#wanted);
    this.#list.append(view.element);
    this.#observer.observe(view.element);
    this.#counted();
  }

  #draw(numero, view) {
    const phone = this.#store.get(numero);
    if (phone) view.draw(phone, this.#store.oldCode(numero));
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #moved(entries) {
    for (const { target, isIntersecting } of entries) {
      const numero = this.#numeros.get(target);
      const view = this.#views.get(numero);
      if (!isIntersecting || !view) {
        this.#inReach.delete(numero);
      } else {
        this.#inReach.add(numero);
        this.#draw(numero, view);
      }
    }
  }

  /** The filter's text without spaces, which people type and numeros do not have. */
  get #wanted() {
    return this.#input.value.replace(/\s/g, '');
  }

  #search() {
    const wanted = this.#wanted;
    let found = 0;
    for (const [numero, { element }] of this.#views) {
      element.hidden = !numero.includes(wanted);
      if (!element.hidden) found += 1;
    }
    this.#none.hidden = found > 0;
    this.#none.textContent = texts.noneFound;
    this.#count.textContent = found > 0 ? texts.found(found) : texts.noneFound;
  }

  #counted() {
    const count = this.#views.size;
    // A filter in use stays, or what it hides could not be shown again.
    this.#filter.hidden = count < MANY && this.#input.value === '';
    if (this.#input.value !== '') return this.#search();
    this.#none.hidden = count > 0;
    this.#none.textContent = texts.none;
  }
}
