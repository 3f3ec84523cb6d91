import { ChromiumLauncher } from './support/chromium-launcher.mjs';
import chromium from './web-test-runner.config.mjs';

/** How many times slower the pages are. */
const SLOWDOWN = 8;
const framework = chromium.testFramework.config;

/** The tests of Chromium on slow pages: what counts on the speed of a machine fails. */
export default {
  ...chromium,
  browsers: [new ChromiumLauncher({ slowdown: SLOWDOWN })],
  testFramework: { config: { ...framework, timeout: SLOWDOWN * framework.timeout } },
  testsFinishTimeout: SLOWDOWN * chromium.testsFinishTimeout,
};
