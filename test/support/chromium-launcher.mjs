import { ChromeLauncher } from '@web/test-runner-chrome';
import { CHROMIUM_FLAGS, findChromium } from './find-chromium.mjs';

/** Chromium for the browser tests, with pages that are so many times slower than the processor. */
export class ChromiumLauncher extends ChromeLauncher {
  #browser;

  constructor({ slowdown = 1 } = {}) {
    super(
      // Chromium tells the launcher of each request otherwise, and nobody asks.
      { executablePath: findChromium(), args: CHROMIUM_FLAGS, networkEnabled: false },
      ({ browser }) => {
        this.#browser = browser;
        return browser.defaultBrowserContext();
      },
      ({ browser }) => createPage(browser, slowdown),
    );
  }

  /** Prints what its pages took, since a shell counts the first of a browser's processes alone. */
  async stop() {
    if (this.#browser?.connected) {
      const devtools = await this.#browser.target().createCDPSession();
      const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
      const others = processInfo.filter(({ type }) => type !== 'browser');
      const seconds = others.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
      console.log(`The browser's other processes took ${seconds.toFixed(1)} core-seconds.`);
    }
    await super.stop();
  }
}

/** A page in a window of its own, with the focus: pages side by side would take it from each other. */
async function createPage(browser, slowdown) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const devtools = await page.createCDPSession();
  await devtools.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return page;
}
