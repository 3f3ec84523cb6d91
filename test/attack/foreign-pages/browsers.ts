import puppeteer, { type Browser } from 'puppeteer-core';
import { CHROMIUM_FLAGS, findChromium } from '../../support/find-chromium.mjs';
import { findFirefox } from '../../support/find-firefox.mjs';
import type { Scope } from '../../support/scope.ts';

type BrowserName = 'Chromium' | 'Firefox';

export async function launch(scope: Scope, name: BrowserName): Promise<Browser> {
  const browser = await puppeteer.launch(
    name === 'Chromium'
      ? { executablePath: findChromium(), args: [...CHROMIUM_FLAGS, REPORT_AT_ONCE] }
      : { browser: 'firefox', executablePath: findFirefox(), extraPrefsFirefox: PREFERENCES },
  );
  scope.after(() => browser.close());
  return browser;
}

/** How long a page may take to load before it is left, in milliseconds. */
const LONGEST_LOAD = 3_000;
/** Chromium batches reports for a minute. */
const REPORT_AT_ONCE = '--short-reporting-delay';

/** Features that Firefox has off by default. */
const PREFERENCES = {
  'browser.send_pings': true,
  'dom.disable_open_during_load': false,
  'network.prefetch-next': true,
};

/** Opens an address in a new window, clicks what can be clicked, and stays for the given time. */
export async function visit(browser: Browser, url: string, stay: () => Promise<void>): Promise<void> {
  const others = new Set(await browser.pages());
  const page = await browser.newPage();
  // Some of these pages load forever, and others are gone before the click.
  await page.goto(url, { timeout: LONGEST_LOAD }).catch(() => {});
  const button = await page.$('#click').catch(() => null);
  await button?.hover().catch(() => {});
  await button?.click().catch(() => {});
  await stay();
  for (const opened of await browser.pages()) if (!others.has(opened)) await opened.close().catch(() => {});
}
