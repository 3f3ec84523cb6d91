/** What the tests import as the panel's source. */
const SOURCE = /(^|\/)src\/index\.ts$/;
const STAND_IN = '/built-panel.js';

/** The script defines the element and exports nothing: what tests import besides is taken from the element. */
const standIn = `
  import '/dist/whatsapp-operadores.js';
  export const TAG = 'whatsapp-operadores';
  export const WhatsappOperadoresElement = customElements.get(TAG);
  export const { version } = WhatsappOperadoresElement;
`;

/** Tests that import the panel's source get the script that a page includes. */
export function builtPanelPlugin() {
  return {
    name: 'built-panel',
    resolveImport: ({ source }) => (SOURCE.test(source) ? STAND_IN : undefined),
    serve: ({ path }) => (path === STAND_IN ? standIn : undefined),
  };
}
