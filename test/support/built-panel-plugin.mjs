/** The modules that tests import as the panel's source. */
const SOURCE = /(^|\/)src\/index\.ts$/;
const STAND_IN = '/built-panel.js';

/** Exports the element's class: the script defines the element and exports nothing. */
const standIn = `
  import '/dist/whatsapp-operadores.js';
  export const TAG = 'whatsapp-operadores';
  export const WhatsappOperadoresElement = customElements.get(TAG);
  export const { version } = WhatsappOperadoresElement;
`;

/** Serves the built script to tests that import the panel's source. */
export function builtPanelPlugin() {
  return {
    name: 'built-panel',
    resolveImport: ({ source }) => (SOURCE.test(source) ? STAND_IN : undefined),
    serve: ({ path }) => (path === STAND_IN ? standIn : undefined),
  };
}
