import { findBrowser } from './find-browser.mjs';

const CHROMIUM = {
  variable: 'CHROME_PATH',
  names: [
    // The same engine without a user interface: the browser tests need two thirds of the processor time.
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'chrome',
    'microsoft-edge',
    'microsoft-edge-stable',
    'msedge',
  ],
  macPlaces: ['Chromium', 'Google Chrome', 'Microsoft Edge'].map((app) => `${app}.app/Contents/MacOS/${app}`),
  windowsPlaces: [
    'Chromium\\Application\\chrome.exe',
    'Google\\Chrome\\Application\\chrome.exe',
    'Microsoft\\Edge\\Application\\msedge.exe',
  ],
  otherPlaces: ['/snap/bin/chromium'],
};

/** The path of a browser of the Chromium family, or undefined where there is none; CHROME_PATH decides. */
export function findChromium() {
  return findBrowser(CHROMIUM);
}

/** Chromium's sandbox does not start as root; the other flags keep it off the network and the GPU. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
