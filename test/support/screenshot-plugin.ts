import { ChromeLauncher } from '@web/test-runner-chrome';
import type { TestRunnerPlugin } from '@web/test-runner-core';
import { WebKitLauncher } from './webkit-launcher.ts';

/** A rectangle of the page in CSS pixels, and the picture's pixels per CSS pixel. */
export interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/** A PNG in base64, of the clip or, where the driver has no clips, of the whole screen. */
export interface Picture {
  readonly png: string;
  readonly whole: boolean;
}

/** The command `screenshot`: the pixels on the screen. */
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
      // A larger viewport for the picture would change the layout under the test.
      const options = { captureBeyondViewport: false, encoding: 'base64' } as const;
      if (browser.name !== 'Firefox')
        return { png: await page.screenshot({ ...options, clip }), whole: false };
      // WebDriver BiDi has no scale for clips: the device pixel ratio is changed for the picture.
      const viewport = page.viewport();
      const { scale, ...box } = clip;
      await page.setViewport({ width: 800, height: 600, ...viewport, deviceScaleFactor: scale });
      const png = await page.screenshot({ ...options, clip: box });
      await page.setViewport(viewport);
      return { png, whole: false };
    },
  };
}
