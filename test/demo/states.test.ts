import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { REPORTED_STATES } from '../../gateway/src/engines/simulated/faults.ts';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { STATES } from '../../src/wire.ts';
import { until } from '../support/until.ts';
import { DemoPage, launchBrowser, VISIBLE } from './demo-page.ts';

/** What the scenes' own servers refuse; the panel logs it (spec §8). */
const RECORDED_FAILURE = /^whatsapp-operadores: RequestError: Request failed with status code \d{3}: /;

describe('the gallery of states', () => {
  let browser: Browser;
  let gateway: Gateway;
  /** The whole gallery; playing its scenes takes long. */
  let gallery: DemoPage;
  /** The calls that reached the gateway, which has no session at all. */
  const calls: string[] = [];

  before(async () => {
    browser = await launchBrowser();
    gateway = createGateway({ port: 0, sessions: [], clock: new ManualClock() });
    gateway.app.addHook('onRequest', async ({ url }) => {
      if (/^\/(api|socket\.io|simulator)/.test(url)) calls.push(url);
    });
    await gateway.listen();
    gallery = await open('states.html');
    await played(gallery);
  });
  after(async () => {
    await browser.close();
    await gateway.close();
  });

  function open(address: string): Promise<DemoPage> {
    return DemoPage.open(browser, `${gateway.url}/${address}`);
  }

  /** Waits until every scene has been played to its end. */
  async function played({ page }: DemoPage): Promise<void> {
    await until(async () => {
      const waiting = await page.$$eval('iframe', (frames) =>
        frames
          .filter(({ contentDocument, inert }) => inert || !contentDocument?.documentElement.dataset.played)
          .map(({ title }) => title),
      );
      if (waiting.length > 0) throw new Error(`still to be played: ${waiting.join(', ')}`);
      return (await page.$('iframe')) !== null;
    }, 'all scenes to be played');
  }

  test('shows every state, dialog and kind of notice, without a server', async () => {
    const shown = await gallery.page.evaluate(() => {
      const found = { states: new Set(), dialogs: new Set(), notices: 0 };
      for (const { contentDocument } of document.querySelectorAll('iframe')) {
        const panel = contentDocument?.querySelector('whatsapp-operadores')?.shadowRoot;
        for (const { textContent } of panel?.querySelectorAll('[part="state"]') ?? [])
          found.states.add(textContent);
        for (const dialog of panel?.querySelectorAll('dialog[open]') ?? [])
          found.dialogs.add(dialog.querySelector('h2')?.textContent);
        found.notices += panel?.querySelectorAll('.Toastify__toast').length ?? 0;
      }
      return { states: [...found.states], dialogs: [...found.dialogs], notices: found.notices };
    });
    for (const state of [...Object.values(STATES), ...REPORTED_STATES])
      assert.ok(shown.states.includes(state), `${state} is not among ${shown.states.join(', ')}`);
    const numero = '5215550001111';
    for (const title of [
      'Número de teléfono',
      `¿Estas seguro de eliminar la sesión de ${numero}?`,
      `Vincular ${numero}`,
      `Historial de ${numero}`,
      `¿Desvincular el WhatsApp de ${numero}?`,
      `Enlace para vincular ${numero}`,
    ])
      assert.ok(shown.dialogs.includes(title), `${title} is not among ${shown.dialogs.join(', ')}`);
    assert.ok(shown.notices >= 5, `${shown.notices} notices`);

    const unexpected = gallery.complaints.filter((text) => !RECORDED_FAILURE.test(text));
    assert.deepEqual(unexpected, []);
    assert.deepEqual(calls, []);
  });

  test('leaves the focus and the scroll to the person, although dialogs open in it', async () => {
    assert.deepEqual(await gallery.page.evaluate(() => [document.activeElement?.localName, scrollY]), [
      'body',
      0,
    ]);
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
