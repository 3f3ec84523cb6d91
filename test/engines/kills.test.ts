import { after, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { launchBrowser } from '../demo/demo-page.ts';
import { openScene } from './story.ts';
import { isTrue } from './truth.ts';
import { KILLS, RemoteWorld } from './worlds.ts';

describe('a session of another server', () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  for (const engine of ['waha', 'evolution'] as const) {
    test(`stays connected with the engine ${engine} although both sides are killed`, async (t) => {
      const scene = await openScene(t, browser, await RemoteWorld.start(t, engine));
      for (const [side, kill] of Object.entries(KILLS)) {
        t.diagnostic(side);
        await kill(scene.world);
        await isTrue(scene);
      }
    });
  }
});
