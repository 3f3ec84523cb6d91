import { existsSync } from 'node:fs';

/** The modules that tests import as the panel's source. */
const SOURCE = /(^|\/)src\/index\.ts$/;
const STAND_IN = '/built-panel.js';
const BUILT = 'dist/whatsapp-operadores.js';

/** Exports the element's class: the script defines the element and exports nothing. */
const standIn = `
  import '/${BUILT}';
  export const TAG = 'whatsapp-operadores';
  export const WhatsappOperadoresElement = customElements.get(TAG);
  export const { version } = WhatsappOperadoresElement;
`;

/** Serves the built script to tests that import the panel's source. Without it, no test runs. */
export function builtPanelPlugin() {
  return {
    name: 'built-panel',
    serverStart({ config: { rootDir } }) {
      if (!existsSync(`${rootDir}/${BUILT}`))
        throw new Error(`There is no ${BUILT}: build first, with npm run build.`);
    },
    resolveImport: ({ source }) => (SOURCE.test(source) ? STAND_IN : undefined),
    serve: ({ path }) => (path === STAND_IN ? standIn : undefined),
  };
}
