import { ChromiumLauncher } from './support/chromium-launcher.mjs';
import chromium from './web-test-runner.config.mjs';

/** How many times slower the pages are. */
const SLOWDOWN = 8;

/** The tests of Chromium on slow pages: what counts on the speed of a machine fails. */
export default {
  ...chromium,
  browsers: [new ChromiumLauncher({ slowdown: SLOWDOWN })],
  testsFinishTimeout: SLOWDOWN * chromium.testsFinishTimeout,
};
