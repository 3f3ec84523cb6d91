import { version, WhatsappOperadoresElement } from './element.ts';

/** The tag under which the panel is registered. */
export const TAG = 'whatsapp-operadores';

/**
 * Registers the element. When a page includes the script twice the first one wins, since a tag can be defined only once;
 * another version is logged. Does nothing where there are no elements, as in Node.
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
