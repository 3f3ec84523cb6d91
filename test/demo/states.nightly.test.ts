import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import { DemoPage, launchBrowser, scenesPlayed, VISIBLE } from './demo-page.ts';
import { HandClock } from './hand-clock.ts';

describe('the gallery of states', () => {
  let browser: Browser;
  let gateway: Gateway;
  let demo: DemoPage;

  before(async () => {
    browser = await launchBrowser();
    gateway = createGateway({ port: 0, sessions: [], clock: new HandClock() });
    await gateway.listen();
  });
  after(async () => {
    await browser.close();
    await gateway.close();
  });
  afterEach(() => demo.page.close());

  async function open(address = 'states.html', width?: number): Promise<void> {
    demo = await DemoPage.open(browser, `${gateway.url}/${address}`, width);
  }

  test('leaves the focus and the scroll to the person, although dialogs open in it', async () => {
    await open();
    await scenesPlayed(demo);
    assert.deepEqual(await demo.page.evaluate(() => [document.activeElement?.localName, scrollY]), [
      'body',
      0,
    ]);
    await demo.click('link', 'Diálogos');
    await demo.page.waitForFunction(() => scrollY > 0 && location.hash === '#dialogos');
  });

  test('opens a scene alone, in which the panel works', async () => {
    await open('states/scene.html?escena=eliminar');
    await demo.click('button', 'Eliminar');
    await demo.page.waitForSelector(
      'whatsapp-operadores >>> ::-p-text(La sesión de 5215550001111 ha sido eliminada)',
      VISIBLE,
    );
    assert.deepEqual(demo.complaints, []);
  });

  test('is linked from the standalone page, and links back', async () => {
    await open('');
    await demo.click('link', 'Todos los estados');
    await demo.page.waitForSelector('iframe');
    await demo.click('link', 'Volver al panel con teléfonos');
    await demo.page.waitForSelector('#snippet');
  });

  test('fits 320 px', async () => {
    await open('states.html', 320);
    await scenesPlayed(demo);
    assert.equal(await demo.page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  });
});
