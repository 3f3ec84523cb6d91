import { version, WhatsappOperadoresElement } from './element.ts';

export * from './element.ts';

declare global {
  interface HTMLElementTagNameMap {
    'whatsapp-operadores': WhatsappOperadoresElement;
  }
}

/** The tag under which the panel is registered. */
export const TAG = 'whatsapp-operadores';

/** Undefined where there are no elements, as in Node. */
const registry: CustomElementRegistry | undefined = globalThis.customElements;
const defined = registry?.get(TAG);
if (defined) {
  // A page may include the script twice, and a tag can be defined only once: the first one wins.
  const first: unknown = Reflect.get(defined, 'version');
  if (first !== version)
    console.warn(`whatsapp-operadores: version ${version} is not used: the page has ${first}`);
} else registry?.define(TAG, WhatsappOperadoresElement);
