import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { DemoPage, launchBrowser, scenesPlayed, VISIBLE } from './demo-page.ts';

describe('the gallery of states', () => {
  let browser: Browser;
  let gateway: Gateway;
  /** The whole gallery; playing its scenes takes long. */
  let gallery: DemoPage;

  before(async () => {
    browser = await launchBrowser();
    gateway = createGateway({ port: 0, sessions: [], clock: new ManualClock() });
    await gateway.listen();
    gallery = await open('states.html');
    await scenesPlayed(gallery);
  });
  after(async () => {
    await browser.close();
    await gateway.close();
  });

  function open(address: string): Promise<DemoPage> {
    return DemoPage.open(browser, `${gateway.url}/${address}`);
  }

  test('leaves the focus and the scroll to the person, although dialogs open in it', async () => {
    assert.equal(await gallery.page.evaluate(() => document.activeElement?.localName), 'body');
    const { page } = await open('states.html');
    await page.waitForFunction(
      () => document.querySelector('iframe')?.contentDocument?.documentElement.dataset.played,
    );
    assert.equal(await page.evaluate(() => scrollY), 0);
    await page.close();
    await gallery.click('link', 'Diálogos');
    await gallery.page.waitForFunction(() => scrollY > 0 && location.hash === '#dialogos');
  });

  test('fits 320 px', async () => {
    const { page } = gallery;
    await page.setViewport({ width: 320, height: 900 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  });

  test('opens a scene alone, in which the panel works', async (t) => {
    const demo = await open('states/scene.html?escena=eliminar');
    t.after(() => demo.page.close());
    await demo.click('button', 'Eliminar');
    await demo.page.waitForSelector(
      'whatsapp-operadores >>> ::-p-text(La sesión de 5215550001111 ha sido eliminada)',
      VISIBLE,
    );
    assert.deepEqual(demo.complaints, []);
  });

  test('is linked from the standalone page, and links back', async (t) => {
    const demo = await open('');
    t.after(() => demo.page.close());
    await demo.click('link', 'Todos los estados');
    await demo.page.waitForSelector('iframe');
    await demo.click('link', 'Volver al panel con teléfonos');
    await demo.page.waitForSelector('#snippet');
  });
});
