import chromium from './web-test-runner.config.mjs';

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

/** The same tests on the script that a page includes: the build leaves out parts of packages that no test may miss. */
export default {
  ...chromium,
  plugins: [
    {
      name: 'built-panel',
      resolveImport: ({ source }) => (SOURCE.test(source) ? STAND_IN : undefined),
      serve: ({ path }) => (path === STAND_IN ? standIn : undefined),
    },
    ...chromium.plugins,
  ],
};
