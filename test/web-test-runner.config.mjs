/**
 * The browser tests, on the script that a page includes: `web-test-runner --config test/web-test-runner.config.mjs`,
 * from the root of the project, after `npm run build`.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { summaryReporter } from '@web/test-runner';
import { register } from 'tsx/esm/api';
import { builtPanelPlugin } from './support/built-panel-plugin.mjs';
import { ChromiumLauncher } from './support/chromium-launcher.mjs';
import { commonJsPlugin } from './support/commonjs-plugin.mjs';
import { cssTextPlugin } from './support/css-text-plugin.mjs';
import { missingScripts } from './support/missing-scripts.mjs';
import { strictPanelPlugin } from './support/strict-panel-plugin.mjs';
import { totalsReporter } from './support/totals-reporter.mjs';

register();
const { accessibilityPlugin } = await import('./support/accessibility-plugin.ts');
const { clipboardPlugin } = await import('./support/clipboard-plugin.ts');
const { gatewayPlugin } = await import('./support/gateway-plugin.ts');
const { mediaPlugin } = await import('./support/media-plugin.ts');
const { metricsPlugin } = await import('./support/metrics-plugin.ts');
const { plainServerPlugin } = await import('./support/plain-server-plugin.ts');
const { screenshotPlugin } = await import('./support/screenshot-plugin.ts');
const { stablePort } = await import('./support/stable-port.ts');

/** The runner's own page, and a rejection that nobody handles fails the test as an uncaught error does. */
const testPage = (framework) => `<!doctype html>
<html lang="es">
  <head><meta charset="utf-8"><title>Pruebas</title></head>
  <body>
    <script>addEventListener('unhandledrejection', ({ reason }) => reportError(reason));</script>
    <script type="module" src="${framework}"></script>
  </body>
</html>`;

export default {
  files: ['test/**/*.browser.{ts,tsx}', '!test/**/*.nightly.browser.ts'],
  rootDir: fileURLToPath(new URL('..', import.meta.url)),
  // The runner's own search is a race between runs that begin at once.
  port: await stablePort(),
  nodeResolve: { browser: true, exportConditions: ['production'] },
  // A page mostly waits: for frames, and for the gateways of all pages, which share the runner's process.
  concurrency: Math.min(4, availableParallelism() + 1),
  browsers: [new ChromiumLauncher()],
  testFramework: { config: { ui: 'bdd', timeout: 120_000 } },
  testRunnerHtml: testPage,
  // Long enough for a machine that is busy with other things: what is waited for comes, or a test says what did not.
  browserStartTimeout: 120_000,
  testsStartTimeout: 120_000,
  testsFinishTimeout: 600_000,
  // What the panel logs on purpose is no news: most tests of a broken server make it log.
  filterBrowserLogs: ({ args }) => !String(args[0]).startsWith('whatsapp-operadores:'),
  reporters: [summaryReporter(), totalsReporter()],
  middleware: [missingScripts],
  plugins: [
    builtPanelPlugin(),
    strictPanelPlugin(),
    commonJsPlugin([
      'react',
      'react/jsx-runtime',
      'react-dom',
      'react-dom/client',
      'jsqr',
      'axe-core',
      '@testing-library/dom',
    ]),
    cssTextPlugin(),
    esbuildPlugin({
      ts: true,
      tsx: true,
      target: 'es2022',
      tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)),
      define: { 'process.env.NODE_ENV': '"production"' },
    }),
    accessibilityPlugin(),
    clipboardPlugin(),
    gatewayPlugin(),
    mediaPlugin(),
    metricsPlugin(),
    plainServerPlugin(),
    screenshotPlugin(),
  ],
};
