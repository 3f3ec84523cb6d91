import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import type { Seed } from '../../gateway/src/engines/simulated/seeds.ts';
import type { Gateway } from '../../gateway/src/gateway.ts';
import type { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { type DemoPage, launchBrowser, openDemo } from './demo-page.ts';

const NUMERO = '5215550001111';

describe('a simulated phone that scans', () => {
  let browser: Browser;
  let clock: ManualClock;
  let gateway: Gateway;
  let demo: DemoPage;

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    const sessions: Seed[] = [
      { numero: '34600111222', state: 'connected' },
      { numero: NUMERO, state: 'qr' },
    ];
    ({ clock, gateway, demo } = await openDemo(browser, { sessions }));
    await demo.byRole('image', `Código QR para vincular ${NUMERO}`);
    await demo.isLive();
  });
  afterEach(async () => {
    await demo.page.close();
    await gateway.close();
  });

  const withMotion = () =>
    demo.page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'no-preference' }]);

  test('is the first one that the drawer shows', async () => {
    const phone = await demo.article('drawer', NUMERO);
    assert.ok(await phone.isIntersectingViewport({ threshold: 1 }));
  });

  test('frames the code that is on the card, and succeeds together with the panel', async () => {
    await withMotion();
    await demo.press('drawer', NUMERO, 'Escanear el código');
    const framed = await demo.page.waitForSelector('.camera-code');
    const [own, onCard] = await demo.page.evaluate((copy) => {
      const panel = document.querySelector('whatsapp-operadores')?.shadowRoot;
      const titles = [...(panel?.querySelectorAll('svg > title') ?? [])];
      const code = titles.find((title) => title.textContent?.includes('QR'))?.parentElement;
      return [copy, code].map((svg) => svg?.querySelectorAll('path')[1]?.getAttribute('d'));
    }, framed);
    assert.ok(own);
    assert.equal(own, onCard);

    await demo.page.waitForSelector('.camera[data-accepted]');
    await demo.says('panel', NUMERO, 'El teléfono se está vinculando');
    await demo.page.waitForSelector('.camera', { hidden: true });
    await demo.says('drawer', NUMERO, 'Vinculando…');
    clock.advance(2_000);
    await demo.says('panel', NUMERO, 'CONNECTED');
    assert.deepEqual(demo.complaints, []);
  });

  test('shows no success for a code that was refused', async () => {
    await withMotion();
    await demo.page.setRequestInterception(true);
    demo.page.on('request', (request) => {
      if (!request.url().endsWith('/scan')) return void request.continue();
      void request.respond({ status: 409, body: JSON.stringify({ message: 'El código ha caducado' }) });
    });
    await demo.page.evaluate(watchFor, '.camera[data-accepted]');
    await demo.press('drawer', NUMERO, 'Escanear el código');
    await demo.page.waitForSelector('.camera');
    await demo.page.waitForSelector('.camera', { hidden: true });
    await demo.says('drawer', NUMERO, 'El código ha caducado');
    assert.equal(await demo.page.evaluate(() => document.body.dataset.seen), undefined);
  });

  test('gives its result at once where motion is reduced', async () => {
    await demo.page.evaluate(watchFor, '.camera');
    await demo.press('drawer', NUMERO, 'Escanear el código');
    await demo.says('drawer', NUMERO, 'Vinculando…');
    assert.equal(await demo.page.evaluate(() => document.body.dataset.seen), undefined);
  });
});

/** Runs in the page: notes on the body that something like this was there. */
function watchFor(selector: string): void {
  new MutationObserver(() => {
    if (document.querySelector(selector)) document.body.dataset.seen = selector;
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-accepted'] });
}
