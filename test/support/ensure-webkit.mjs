/** `node test/support/ensure-webkit.mjs`: installs WebKitGTK if there is none. */
import { findWebKit } from './find-webkit.mjs';
import { findOrInstall } from './install-browser.mjs';

try {
  const path = findOrInstall(findWebKit, {
    // The driver's package depends on the browser, which needs a screen.
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
