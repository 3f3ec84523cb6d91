import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { SERVERS } from '../../gateway/test/support/stand-in.ts';
import { launchBrowser } from '../demo/demo-page.ts';
import { openScene, storyOf } from './story.ts';
import { RemoteWorld } from './worlds.ts';

describe('the life of a session of another server on the panel', () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  for (const server of SERVERS) {
    test(`with ${server.title}`, async (t) => {
      const scene = await openScene(t, browser, await RemoteWorld.start(t, server));
      for (const { name, act, shows } of storyOf(scene)) {
        t.diagnostic(name);
        await act();
        await shows();
      }
      // The page asks in vain for simulated phones.
      const unexpected = scene.demo.complaints.filter((text) => !text.includes('404'));
      assert.deepEqual(unexpected, []);
    });
  }
});
