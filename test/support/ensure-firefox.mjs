/** `node test/support/ensure-firefox.mjs`: installs Firefox if there is none. */
import { findFirefox } from './find-firefox.mjs';
import { findOrInstall } from './install-browser.mjs';

try {
  const path = findOrInstall(findFirefox, {
    debian: 'firefox-esr',
    ubuntu: 'firefox',
    todo: 'install Firefox, or set FIREFOX_PATH to one',
    todoWithoutSnap: "install Mozilla's own package, or set FIREFOX_PATH",
  });
  console.log(`Browser: ${path}`);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
