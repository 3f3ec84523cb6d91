import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { launchBrowser } from '../demo/demo-page.ts';
import { openScene, storyOf } from './story.ts';
import { worldOf } from './worlds.ts';

describe('the life of a session on the panel', () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  for (const engine of ['simulated', 'waha', 'evolution'] as const) {
    test(`with the engine ${engine}`, async (t) => {
      const scene = await openScene(t, browser, await worldOf(t, engine));
      for (const { name, act, shows } of storyOf(scene)) {
        t.diagnostic(name);
        await act();
        await shows();
      }
      // With other engines the page asks in vain for simulated phones.
      const unexpected = scene.demo.complaints.filter((text) => !text.includes('404'));
      assert.deepEqual(unexpected, []);
    });
  }
});
