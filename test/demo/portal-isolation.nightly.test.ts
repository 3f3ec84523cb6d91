import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import type { Seed } from '../../gateway/src/engines/simulated/seeds.ts';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { DemoPage, launchBrowser, VISIBLE } from './demo-page.ts';

const NUMERO = '5215550001111';
const SEEDS: Seed[] = [
  { numero: NUMERO, state: 'connected' },
  { numero: '34600111222', state: 'qr' },
  { numero: '5731000000001', state: 'waiting' },
];

/** A page with nothing but the panel and the portal's tokens. */
const BARE_PAGE = `<!doctype html>
<html lang="es">
  <head>
    <meta charset="utf-8"><title>Panel</title>
    <link rel="icon" href="favicon.svg">
    <link rel="stylesheet" href="portal/panel.css">
    <script src="whatsapp-operadores.js" defer></script>
  </head>
  <body><whatsapp-operadores provider="Altamar" notification-position="top-center"></whatsapp-operadores></body>
</html>`;

describe('the style rules of the portal and its framework', () => {
  let browser: Browser;
  let gateway: Gateway;

  before(async () => {
    browser = await launchBrowser();
    gateway = createGateway({ port: 0, sessions: SEEDS, clock: new ManualClock() });
    gateway.app.get('/bare.html', (_request, reply) => reply.type('text/html').send(BARE_PAGE));
    await gateway.listen();
  });
  after(async () => {
    await browser.close();
    await gateway.close();
  });

  for (const dialog of [false, true]) {
    test(`change no box of the panel${dialog ? ', nor of its dialog' : ''}`, async () => {
      const portal = await DemoPage.open(browser, `${gateway.url}/portal.html`);
      const bare = await DemoPage.open(browser, `${gateway.url}/bare.html`);
      for (const { page } of [portal, bare]) {
        await page.bringToFront();
        await page.waitForSelector(`whatsapp-operadores >>> ::-p-text(${NUMERO})`, VISIBLE);
        await page.waitForSelector('whatsapp-operadores >>> .qr svg', VISIBLE);
        if (dialog) await page.click('whatsapp-operadores >>> button.add');
      }
      const width = await portal.page.$eval('whatsapp-operadores', (panel) => panel.offsetWidth);
      await bare.page.$eval(
        'whatsapp-operadores',
        (panel, pixels) => panel.style.setProperty('width', `${pixels}px`),
        width,
      );

      const rude = await portal.page.$eval('#log-clear', (button) => getComputedStyle(button).textTransform);
      assert.equal(rude, 'uppercase');
      const expected = await boxes(bare.page);
      assert.ok(expected.length > 40, `${expected.length} boxes`);
      assert.deepEqual(await boxes(portal.page), expected);
      for (const { page, complaints } of [portal, bare]) {
        assert.deepEqual(complaints, []);
        await page.close();
      }
    });
  }
});

/** Returns the box and text style of each element in the panel, or in its dialog. */
function boxes(page: Page): Promise<string[]> {
  return page.$eval('whatsapp-operadores', ({ shadowRoot }) => {
    const panel = shadowRoot?.querySelector('.panel');
    if (!shadowRoot || !panel) throw new Error('The panel shows nothing');
    // Rotating elements never look the same twice.
    for (const animation of shadowRoot.getAnimations()) animation.cancel();
    return [...shadowRoot.querySelectorAll('*')].flatMap((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      if (width === 0 || height === 0) return [];
      const origin = (element.closest('dialog') ?? panel).getBoundingClientRect();
      const { fontSize, fontWeight, color, letterSpacing, textTransform, cursor } = getComputedStyle(element);
      const box = [x - origin.x, y - origin.y, width, height].map((length) => length.toFixed(1));
      const look = [fontSize, fontWeight, color, letterSpacing, textTransform, cursor];
      return [element.localName, ...box, ...look].join(' ');
    });
  });
}
