import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { until } from '../support/until.ts';
import { DemoPage, launchBrowser } from './demo-page.ts';

const NUMERO = '5215550001111';

describe('the line above the panel', () => {
  let browser: Browser;
  let gateway: Gateway;
  let demo: DemoPage;

  before(async () => {
    browser = await launchBrowser();
    gateway = createGateway({
      port: 0,
      sessions: [{ numero: NUMERO, state: 'connected' }],
      clock: new ManualClock(),
    });
    await gateway.listen();
  });
  after(async () => {
    await browser.close();
    await gateway.close();
  });
  afterEach(() => demo.page.close());

  async function open(address = '', width?: number): Promise<void> {
    demo = await DemoPage.open(browser, `${gateway.url}/${address}`, width);
    await demo.says('panel', NUMERO, 'CONNECTED');
  }

  /** The colours of the panel's header, of a card and of a button, and of the phones beside them. */
  async function colours(): Promise<string[]> {
    await demo.says('drawer', NUMERO, 'Conectado');
    return demo.page.evaluate(() => {
      const panel = document.querySelector('whatsapp-operadores')?.shadowRoot;
      return [
        panel?.querySelector('[part="header"]'),
        panel?.querySelector('[part~="card"]'),
        panel?.querySelector('article button:last-of-type'),
        document.querySelector('.phone-top'),
      ].map((element) => {
        if (!element) throw new Error('Something is not there');
        const { backgroundColor, color } = getComputedStyle(element);
        return `${backgroundColor} ${color}`;
      });
    });
  }

  test('selects the snippet where there is no clipboard', async () => {
    await open();
    await demo.page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await demo.click('button', 'Copiar');
    await demo.page.waitForSelector('#copied::-p-text(Está seleccionado)');
    assert.match(await demo.page.evaluate(() => String(getSelection())), /^<script/);
  });

  test('changes the colours of the panel and of the phones, and keeps the theme in the address', async () => {
    await open();
    const first = await colours();
    await demo.click('radio', 'Océano');
    const blue = await colours();
    for (const [index, colour] of blue.entries()) assert.notEqual(colour, first[index]);

    await demo.page.keyboard.press('ArrowRight');
    await until(
      () => demo.page.evaluate(() => location.hash === '#tema=ciruela'),
      'the theme to be in the address',
    );
    const plum = await colours();
    for (const [index, colour] of plum.entries()) assert.notEqual(colour, blue[index]);

    await demo.page.reload();
    await demo.says('panel', NUMERO, 'CONNECTED');
    assert.deepEqual(await colours(), plum);
    await demo.click('radio', 'Bosque');
    assert.deepEqual(await colours(), first);
    assert.deepEqual(demo.complaints, []);
  });

  test('makes the page dark, and light again', async () => {
    await open();
    const light = await colours();
    await demo.click('button', 'Modo oscuro');
    const dark = await colours();
    for (const [index, colour] of dark.entries()) assert.notEqual(colour, light[index]);
    await demo.click('button', 'Modo oscuro');
    assert.deepEqual(await colours(), light);
  });

  for (const width of [320, 768]) {
    test(`is one button at ${width} px, which opens the rest`, async () => {
      await open('', width);
      assert.equal(await demo.page.$eval('#copy', (button) => button.checkVisibility()), false);
      await demo.click('button', 'Ponlo en tu página');
      await demo.byRole('button', 'Copiar');
      await demo.byRole('radio', 'Grafito');
      await demo.byRole('link', 'En una intranet');
      assert.equal(await demo.page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    });
  }

  test('has themes that are legible, light and dark', async () => {
    await open();
    await demo.page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
    for (const theme of ['bosque', 'oceano', 'ciruela', 'arcilla', 'grafito']) {
      for (const mode of ['claro', 'oscuro']) {
        const address = `#tema=${theme}&modo=${mode}`;
        await demo.page.evaluate((hash) => location.assign(hash), address);
        await demo.page.waitForSelector(`[data-theme="${theme}"][data-scheme]`);
        assert.deepEqual(await demo.page.evaluate(findViolations), [], address);
      }
    }
  });
});

/** Runs in the page, with axe-core. */
async function findViolations(): Promise<string[]> {
  const { axe } = window as unknown as typeof import('axe-core') & {
    axe: typeof import('axe-core');
  };
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
