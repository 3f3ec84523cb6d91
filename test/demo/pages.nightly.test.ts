import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { DemoPage, launchBrowser, VISIBLE } from './demo-page.ts';

const PAGES = [
  { path: '', ready: '#phones-toggle:not([hidden])' },
  { path: 'portal.html', ready: 'whatsapp-operadores >>> article' },
  { path: 'portal.html#directorio', ready: 'table' },
  { path: 'portal.html#ajustes', ready: 'whatsapp-operadores >>> .panel' },
  { path: 'states.html', ready: 'iframe' },
  { path: 'states.html#dialogos', ready: 'iframe' },
];

describe('each page of the demo', () => {
  let browser: Browser;
  let gateway: Gateway;
  let demo: DemoPage;

  before(async () => {
    browser = await launchBrowser();
    gateway = createGateway({
      port: 0,
      sessions: [
        { numero: '5215550001111', state: 'connected' },
        { numero: '34600111222', state: 'qr' },
      ],
      clock: new ManualClock(),
    });
    await gateway.listen();
  });
  after(async () => {
    await browser.close();
    await gateway.close();
  });
  afterEach(() => demo.page.close());

  for (const { path, ready } of PAGES) {
    for (const width of [320, 640, 768, 1440]) {
      test(`fits ${width} px: /${path}`, async () => {
        demo = await DemoPage.open(browser, `${gateway.url}/${path}`, width);
        await demo.page.waitForSelector(ready);
        assert.equal(await demo.page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
      });
    }

    for (const value of ['light', 'dark']) {
      test(`is accessible, ${value}: /${path}`, async () => {
        demo = await DemoPage.open(browser, `${gateway.url}/${path}`);
        await demo.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
        await demo.page.waitForSelector(ready, VISIBLE);
        await demo.page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
        assert.deepEqual(await demo.page.evaluate(findViolations), []);
      });
    }
  }

  test('is linked from the front page, and links back', async () => {
    demo = await DemoPage.open(browser, gateway.url);
    // Content that loads above the link moves it.
    await demo.article('drawer', '5215550001111');
    for (const [name, title] of [
      ['En una intranet', 'Altamar'],
      ['Todos los estados', 'El panel de verdad'],
    ] as const) {
      await demo.click('link', name);
      await demo.page.waitForSelector(`::-p-text(${title})`);
      await demo.click('link', 'Panel');
      await demo.page.waitForSelector('#own-page');
    }
  });

  for (const width of [1440, 1280, 960, 768, 360]) {
    test(`the front page does not move when the panel arrives, at ${width} px`, async () => {
      demo = await DemoPage.open(browser, gateway.url, width);
      await demo.says('panel', '5215550001111', 'CONNECTED');
      await demo.page.waitForSelector('#phones-toggle', VISIBLE);
      await demo.page.waitForNetworkIdle({ idleTime: 500 });
      const moved = await demo.page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let sum = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
            }).observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => resolve(sum), 300);
          }),
      );
      assert.ok(moved <= 0.02, `it moved by ${moved}`);
    });
  }

  test('the front page has themes and a dark mode, which the panel follows', async () => {
    demo = await DemoPage.open(browser, gateway.url);
    await demo.says('panel', '5215550001111', 'CONNECTED');
    const colours = () =>
      demo.page.$eval('whatsapp-operadores >>> .panel', (panel) => {
        const header = panel.querySelector('header');
        return [panel, header].map((one) => one && getComputedStyle(one).backgroundColor);
      });
    const [light, accent] = await colours();
    await demo.click('radio', 'Ciruela');
    const [, plum] = await colours();
    assert.notEqual(plum, accent);
    await demo.click('radio', 'Bosque');
    assert.deepEqual(await colours(), [light, accent]);
    await demo.click('button', 'Modo oscuro');
    const [dark] = await colours();
    assert.notEqual(dark, light);
    await demo.page.waitForSelector('#dark[aria-pressed="true"]');
  });
});

/** Runs in the page, with axe-core; the gallery's scenes are others. */
async function findViolations(): Promise<string[]> {
  const { axe } = window as unknown as typeof import('axe-core') & {
    axe: typeof import('axe-core');
  };
  const { violations } = await axe.run(document, { resultTypes: ['violations'], iframes: false });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
