/** `node test/support/ensure-webkit.mjs`: makes sure that there is a WebKit to test in. */
import { findWebKit } from './find-webkit.mjs';
import { findOrInstall } from './install-browser.mjs';

try {
  const path = findOrInstall(findWebKit, {
    // The driver brings the browser; it needs a screen, if only one that nobody sees.
    debian: 'webkit2gtk-driver xvfb',
    ubuntu: 'webkit2gtk-driver xvfb',
    todo: "install WebKitGTK's driver and Xvfb, or set WEBKIT_DRIVER_PATH to a WebKitWebDriver",
    todoWithoutSnap: "install WebKitGTK's driver and Xvfb",
  });
  console.log(`Browser: ${path}`);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
