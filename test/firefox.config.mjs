import { chromeLauncher, puppeteerCore } from '@web/test-runner-chrome';
import { ENGINE_TESTS } from './support/engine-tests.mjs';
import { findFirefox } from './support/find-firefox.mjs';
import chromium from './web-test-runner.config.mjs';

/** The tests of what differs between engines, in Firefox. The launcher is named after Chrome, and speaks WebDriver BiDi just as well. */
export default {
  ...chromium,
  files: ENGINE_TESTS,
  // Focus and animation frames are only dependable on the one page that is in front.
  concurrency: 1,
  browsers: [
    chromeLauncher({
      puppeteer: puppeteerCore,
      launchOptions: {
        browser: 'firefox',
        executablePath: findFirefox(),
        // Firefox tells the launcher of each request otherwise, which takes a sixth of the whole run.
        networkEnabled: false,
        // The tests set preferences, which is how a person's settings are emulated.
        args: ['--remote-allow-system-access'],
      },
    }),
  ],
};
