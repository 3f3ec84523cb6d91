import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { DemoPage, launchBrowser, RECORDED_FAILURE, scenesPlayed, VISIBLE } from './demo-page.ts';

describe('the gallery of states', () => {
  let browser: Browser;
  let gateway: Gateway;
  /** The gallery at its dialogs. */
  let gallery: DemoPage;

  before(async () => {
    browser = await launchBrowser();
    gateway = createGateway({ port: 0, sessions: [], clock: new ManualClock() });
    await gateway.listen();
    gallery = await open('states.html#dialogos');
  });
  after(async () => {
    await browser.close();
    await gateway.close();
  });

  function open(address: string): Promise<DemoPage> {
    return DemoPage.open(browser, `${gateway.url}/${address}`);
  }

  test('leaves the focus and the scroll to the person, although dialogs open in it', async () => {
    // Those in view: the others are not loaded.
    await gallery.page.waitForFunction(() =>
      [...document.querySelectorAll('iframe')].slice(0, 2).every(({ inert }) => !inert),
    );
    assert.deepEqual(await gallery.page.evaluate(() => [document.activeElement?.localName, scrollY]), [
      'body',
      0,
    ]);
  });

  test('shows one chapter at a time', async (t) => {
    const demo = await open('states.html#estados');
    t.after(() => demo.page.close());
    await demo.byRole('heading', 'Conectada, o de camino');
    await demo.click('link', 'Avisos');
    await demo.byRole('heading', 'Muchos a la vez');
    const frames = () => demo.page.$$eval('iframe', (all) => all.map(({ title }) => title));
    assert.deepEqual(await frames(), ['Lo que salió bien', 'Muchos a la vez', 'Lo que salió mal']);
    assert.equal(await demo.page.$eval('[aria-current]', (link) => link.textContent), 'Avisos');
    await demo.page.goBack();
    await demo.byRole('heading', 'Conectada, o de camino');
    assert.deepEqual(
      demo.complaints.filter((text) => !RECORDED_FAILURE.test(text)),
      [],
    );
  });

  test('begins with a picture of each chapter, which leads there and takes no focus', async (t) => {
    const demo = await open('states.html');
    t.after(() => demo.page.close());
    const { page } = demo;
    const links = await page.$$eval('#gallery li', (all) =>
      all.map((entry) => [entry.querySelector('iframe')?.title, entry.querySelector('a')?.textContent]),
    );
    assert.deepEqual(links[0], ['Estados', 'Estados']);
    assert.equal(links.length, 6);
    await scenesPlayed(demo);
    assert.equal(await page.evaluate(() => document.activeElement?.localName), 'body');
    const [box] = await page.$$eval('.thumb', (all) =>
      all.map((one) => one.getBoundingClientRect().toJSON()),
    );
    const [frame] = await page.$$eval('iframe', (all) =>
      all.map((one) => one.getBoundingClientRect().toJSON()),
    );
    assert.ok(Math.abs(box.width - frame.width) < 2 && Math.abs(box.height - frame.height) < 2);
    // All of the entry is the link.
    await page.mouse.click(box.left + 40, box.top + 40);
    await demo.byRole('heading', 'Conectada, o de camino');
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
});
