import { findBrowser } from './find-browser.mjs';

const WEBKIT = {
  variable: 'WEBKIT_DRIVER_PATH',
  names: ['WebKitWebDriver'],
  probe: '--help',
  macPlaces: [],
  windowsPlaces: [],
  otherPlaces: [],
};

/** The path of WebKitGTK's driver, or undefined where there is none; WEBKIT_DRIVER_PATH decides. */
export function findWebKit() {
  return findBrowser(WEBKIT);
}
