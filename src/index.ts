import { version, WhatsappOperadoresElement } from './element.ts';

export * from './element.ts';

declare global {
  interface HTMLElementTagNameMap {
    'whatsapp-operadores': WhatsappOperadoresElement;
  }
}

/** The tag under which the panel is registered. */
export const TAG = 'whatsapp-operadores';

/** Does nothing where there are no elements, as in Node. */
function define(): void {
  if (typeof customElements === 'undefined') return;
  const defined = customElements.get(TAG);
  if (!defined) {
    customElements.define(TAG, WhatsappOperadoresElement);
    return;
  }
  // A page may include the script twice, and a tag can be defined only once: the first one wins.
  const first: unknown = Reflect.get(defined, 'version');
  if (first !== version) {
    console.warn(`whatsapp-operadores: version ${version} is not used: the page has ${first}`);
  }
}

define();
