import { chromeLauncher, puppeteerCore } from '@web/test-runner-chrome';
import { findFirefox } from './support/find-firefox.mjs';
import chromium from './web-test-runner.config.mjs';

/** The same tests in Firefox. The launcher is named after Chrome, and speaks WebDriver BiDi just as well. */
export default {
  ...chromium,
  browsers: [
    chromeLauncher({
      puppeteer: puppeteerCore,
      launchOptions: {
        browser: 'firefox',
        executablePath: findFirefox(),
        // The tests set preferences, which is how a person's settings are emulated.
        args: ['--remote-allow-system-access'],
      },
    }),
  ],
};
