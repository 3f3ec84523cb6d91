import { findBrowser } from './find-browser.mjs';

const FIREFOX = {
  variable: 'FIREFOX_PATH',
  names: ['firefox-esr', 'firefox'],
  macPlaces: ['Firefox.app/Contents/MacOS/firefox'],
  windowsPlaces: ['Mozilla Firefox\\firefox.exe'],
  otherPlaces: ['/snap/bin/firefox'],
};

/** The path of a Firefox, or undefined where there is none; FIREFOX_PATH decides. */
export function findFirefox() {
  return findBrowser(FIREFOX);
}
