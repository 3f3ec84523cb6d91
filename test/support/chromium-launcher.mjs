import { chromeLauncher } from '@web/test-runner-chrome';
import { CHROMIUM_FLAGS, findChromium } from './find-chromium.mjs';

/** Chromium for the browser tests, with pages that are so many times slower than the processor. */
export function chromiumLauncher({ slowdown = 1 } = {}) {
  return chromeLauncher({
    launchOptions: { executablePath: findChromium(), args: CHROMIUM_FLAGS },
    createPage: ({ browser }) => createPage(browser, slowdown),
  });
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
