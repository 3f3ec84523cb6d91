import { strictPanelPlugin } from './support/strict-panel-plugin.mjs';
import chromium from './web-test-runner.config.mjs';

/** The tests of Chromium on the panel in development React under `StrictMode`: `npm run test:strict`. */
export default {
  ...chromium,
  plugins: [
    strictPanelPlugin({ everywhere: true }),
    ...chromium.plugins.filter(({ name }) => name !== 'built-panel' && name !== 'strict-panel'),
  ],
};
