import { ChromeLauncher } from '@web/test-runner-chrome';
import type { TestRunnerPlugin } from '@web/test-runner-core';
import { WebKitLauncher } from './webkit-launcher.ts';

/** A rectangle of the page in CSS pixels, and how many pixels of the picture are one of them. */
export interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/** A PNG in base64: of the clip, or of all that is on the screen where the driver knows no other. */
export interface Picture {
  readonly png: string;
  readonly whole: boolean;
}

/** The command `screenshot`: the pixels that are on the screen. */
export function screenshotPlugin(): TestRunnerPlugin<Clip> {
  return {
    name: 'screenshot-command',
    async executeCommand({ command, payload: clip, session }): Promise<Picture | undefined> {
      if (command !== 'screenshot' || !clip) return undefined;
      const { browser, id } = session;
      if (browser instanceof WebKitLauncher)
        return { png: await browser.getPage(id).screenshot(), whole: true };
      if (!(browser instanceof ChromeLauncher)) throw new Error('This browser gives no screenshots.');
      const page = browser.getPage(id);
      // Never a larger viewport for the picture: the page would be laid out anew under the test.
      const options = { captureBeyondViewport: false, encoding: 'base64' } as const;
      if (browser.name !== 'Firefox')
        return { png: await page.screenshot({ ...options, clip }), whole: false };
      // WebDriver BiDi knows no scale of a clip: the screen itself gets finer for the moment.
      const viewport = page.viewport();
      const { scale, ...box } = clip;
      await page.setViewport({ width: 800, height: 600, ...viewport, deviceScaleFactor: scale });
      const png = await page.screenshot({ ...options, clip: box });
      await page.setViewport(viewport);
      return { png, whole: false };
    },
  };
}
