import { version, WhatsappOperadoresElement } from './element.ts';

/** The tag under which the panel is registered. */
export const TAG = 'whatsapp-operadores';

/**
 * Registers the element. A page may include the script more than once: the first one wins, since a tag can be
 * defined only once, and another version is told in the console. Without elements, as in Node, nothing happens.
 */
export function define(): void {
  if (typeof customElements === 'undefined') return;
  const defined = customElements.get(TAG);
  if (!defined) {
    customElements.define(TAG, WhatsappOperadoresElement);
    return;
  }
  const first: unknown = Reflect.get(defined, 'version');
  if (first !== version) {
    console.warn(`whatsapp-operadores: version ${version} is not used, the page has ${first} already`);
  }
}
