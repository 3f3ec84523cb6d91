import { html } from './dom.js';
import { anyCode, cameraCorners, check } from './drawings.js';

/** Milliseconds until the code is framed, and that the check mark stays; camera.css has the same numbers. */
const FRAMING_MS = 750;
const DONE_MS = 900;

const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** The camera of a phone, over its screen while it scans. Decoration: its result is also stated in words. */
export class Camera {
  #screen;
  #element;

  /** @param {HTMLElement} screen */
  constructor(screen) {
    this.#screen = screen;
  }

  /** Frames the code that the panel shows for this numero, and resolves when it has been read. */
  async read(numero) {
    if (calm.matches) return;
    const target = html('div', { class: 'camera-target' }, codeOf(numero), cameraCorners(), check());
    this.#element?.remove();
    this.#element = html('div', { class: 'camera', 'aria-hidden': 'true' }, target);
    this.#screen.append(this.#element);
    await elapsed(FRAMING_MS);
  }

  /** Shows that the code was accepted, or nothing more if it was not. */
  async end(isAccepted) {
    const element = this.#element;
    this.#element = undefined;
    if (!element) return;
    if (isAccepted) {
      element.dataset.accepted = '';
      await elapsed(DONE_MS);
    }
    element.remove();
  }
}

/** Returns a copy of the code on the panel; any code where it is not drawn, as on a row of the list. */
function codeOf(numero) {
  const panel = document.querySelector('whatsapp-operadores')?.shadowRoot;
  const codes = [...(panel?.querySelectorAll('svg:has(> title)') ?? [])];
  const code = codes.find((svg) => svg.querySelector('title').textContent.endsWith(numero));
  if (!code) return anyCode();
  const copy = code.cloneNode(true);
  copy.setAttribute('class', 'camera-code');
  return copy;
}

function elapsed(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
