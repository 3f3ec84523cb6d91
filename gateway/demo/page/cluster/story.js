import { html } from '../phones/dom.js';
import { isCarried } from './number-view.js';
import { seconds, texts } from './texts.js';

/** @typedef {import('./starter.js').View} View */

const MOST_LINES = 3;
/** How often the time that runs is drawn, in milliseconds. */
const TICK = 100;

/**
 * A server that loses its numbers, until each has another one.
 *
 * @typedef {{ name: string, numeros: Set<string>, since: number }} Takeover
 */

/** Tells what happens: how many numbers are carried, who lost them, and how long it took. */
export class Story {
  #places;
  /** @type {View | undefined} */
  #before;
  /** @type {Map<string, Takeover>} */
  #takeovers = new Map();
  #timer;

  /** @param {{ carried: Node, label: Node, watch: HTMLElement, time: Node, log: HTMLElement }} places */
  constructor(places) {
    this.#places = places;
  }

  /** @param {View} view */
  hear(view) {
    const carried = view.numbers.filter(isCarried).length;
    this.#places.carried.textContent = texts.carried(carried, view.numbers.length);
    this.#places.label.textContent = texts.carriedLabel(view.numbers.length);
    const before = this.#before;
    this.#before = view;
    if (before) {
      for (const server of view.servers) this.#compare(server, before);
      this.#finish(view);
    }
    this.#runWatch(carried < view.numbers.length && this.#takeovers.size > 0);
  }

  #compare({ name, phase, end }, before) {
    const last = before.servers.find((server) => server.name === name)?.phase;
    if (phase === last) return;
    if (phase === 'up' && last === 'starting') return this.#say(texts.joined(name));
    const how = phase === 'down' ? end : phase;
    const sentence = texts.lostServer[how];
    const numeros = before.numbers.filter((number) => number.owner === name && isCarried(number));
    // A drained server that is killed loses what it had not given away yet.
    if (!sentence || (this.#takeovers.has(name) && numeros.length === 0)) return;
    this.#say(sentence(name, numeros.length));
    if (numeros.length === 0) return;
    this.#takeovers.set(name, {
      name,
      numeros: new Set(numeros.map(({ numero }) => numero)),
      since: performance.now(),
    });
  }

  /** Ends the takeovers whose numbers are all carried by others. */
  #finish(view) {
    for (const { name, numeros, since } of this.#takeovers.values()) {
      const mine = view.numbers.filter(({ numero }) => numeros.has(numero));
      if (!mine.every((number) => isCarried(number) && number.owner !== name)) continue;
      this.#takeovers.delete(name);
      this.#say(texts.recovered(name, mine.length, performance.now() - since), 'good');
    }
  }

  #say(text, tone) {
    const { log } = this.#places;
    log.append(html('p', { text, ...(tone && { 'data-tone': tone }) }));
    while (log.childElementCount > MOST_LINES) log.firstElementChild.remove();
  }

  #runWatch(isRunning) {
    const { watch, time } = this.#places;
    watch.hidden = !isRunning;
    clearInterval(this.#timer);
    if (!isRunning) return;
    const since = Math.min(...[...this.#takeovers.values()].map((takeover) => takeover.since));
    const draw = () => {
      time.textContent = seconds(performance.now() - since);
    };
    draw();
    this.#timer = setInterval(draw, TICK);
  }
}
