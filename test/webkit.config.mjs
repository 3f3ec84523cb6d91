import { ENGINE_TESTS } from './support/engine-tests.mjs';
import { findWebKit } from './support/find-webkit.mjs';
import chromium from './web-test-runner.config.mjs';

const { WebKitLauncher } = await import('./support/webkit-launcher.ts');

/** The tests of what differs between engines, in WebKit by the driver of WebKitGTK, which has one window. */
export default {
  ...chromium,
  files: ENGINE_TESTS,
  concurrency: 1,
  browsers: [new WebKitLauncher(findWebKit())],
};
