import { html } from '../phones/dom.js';
import { isCarried, NumberChip } from './number-view.js';
import { ServerColumn } from './server-view.js';
import { texts } from './texts.js';
import { travel } from './travel.js';

/** @typedef {import('./starter.js').View} View */

/** The servers as columns, with the numbers that each one has. */
export class Board {
  #places;
  #act;
  #freeList = html('ul', { class: 'numbers', role: 'list', 'aria-label': 'Números sin servidor' });
  /** @type {Map<string, ServerColumn>} */
  #columns = new Map();
  /** @type {Map<string, NumberChip>} */
  #chips = new Map();

  /**
   * @param {{ servers: HTMLElement, free: HTMLElement, none: HTMLElement }} places
   * @param {(path: string) => void} act
   */
  constructor(places, act) {
    this.#places = places;
    this.#act = act;
    places.free.append(this.#freeList);
  }

  /** @param {View} view */
  show({ servers, numbers, here }) {
    for (const server of servers) {
      const own = numbers.filter(({ owner }) => owner === server.name);
      this.#column(server.name).show(server, server.name === here, own.length, own.filter(isCarried).length);
    }
    travel(
      [...this.#chips.values()].map(({ element }) => element),
      () => this.#place(numbers),
    );
    this.#places.none.hidden = numbers.some(({ owner }) => owner === null);
    this.#places.none.textContent = numbers.every(isCarried) ? texts.noneFree : texts.noneFreeYet;
  }

  #place(numbers) {
    const listed = new Set(numbers.map(({ numero }) => numero));
    for (const [numero, { element }] of this.#chips) {
      if (listed.has(numero)) continue;
      element.remove();
      this.#chips.delete(numero);
    }
    const nexts = new Map();
    for (const number of numbers) {
      const list = this.#columns.get(number.owner)?.list ?? this.#freeList;
      const chip = this.#chip(number.numero);
      chip.show(number);
      const next = nexts.has(list) ? nexts.get(list).nextSibling : list.firstChild;
      if (next !== chip.element) move(list, chip.element, next);
      nexts.set(list, chip.element);
    }
  }

  #column(name) {
    let column = this.#columns.get(name);
    if (!column) {
      column = new ServerColumn(name, this.#act);
      this.#columns.set(name, column);
      this.#places.servers.append(column.element);
    }
    return column;
  }

  #chip(numero) {
    let chip = this.#chips.get(numero);
    if (!chip) {
      chip = new NumberChip(numero, this.#act);
      this.#chips.set(numero, chip);
    }
    return chip;
  }
}

/** Moves an element, which keeps the focus if it had it. */
function move(list, element, next) {
  const focused = element.contains(document.activeElement) ? document.activeElement : undefined;
  list.insertBefore(element, next);
  focused?.focus({ preventScroll: true });
}
