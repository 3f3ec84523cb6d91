/** `node test/support/ensure-chromium.mjs`: installs Chromium if there is none. */
import { findChromium } from './find-chromium.mjs';
import { findOrInstall } from './install-browser.mjs';

try {
  const path = findOrInstall(findChromium, {
    debian: 'chromium-headless-shell',
    ubuntu: 'chromium-browser',
    todo: 'install Chromium, Chrome or Edge, or set CHROME_PATH to one',
    todoWithoutSnap: "install Google Chrome's .deb, or set CHROME_PATH",
  });
  console.log(`Browser: ${path}`);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
