import assert from 'node:assert/strict';
import { type Browser, type LaunchOptions, launch } from 'puppeteer-core';
import { CHROMIUM_FLAGS, findChromium } from '../support/find-chromium.mjs';
import type { Scope } from '../support/scope.ts';

/** Milliseconds after which a hanging command fails, with its name. */
const COMMAND_TIMEOUT = 60_000;

/** Starts a Chromium that lives as long as the round. */
export async function launchChromium(
  scope: Scope,
  flags: readonly string[] = [],
  options: LaunchOptions = {},
): Promise<Browser> {
  const browser = await launch({
    executablePath: findChromium() ?? assert.fail('no Chromium'),
    args: [...CHROMIUM_FLAGS, ...flags],
    protocolTimeout: COMMAND_TIMEOUT,
    ...options,
  });
  scope.after(() => close(browser));
  return browser;
}

/** Kills a browser that hangs. */
async function close(browser: Browser): Promise<void> {
  const gone = browser.close().catch(() => {});
  const late = setTimeout(() => browser.process()?.kill('SIGKILL'), COMMAND_TIMEOUT);
  await gone;
  clearTimeout(late);
}
