import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Seed } from '../../gateway/src/engines/simulated/seeds.ts';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { until } from '../support/until.ts';
import { DemoPage, inBrowser, VISIBLE } from './demo-page.ts';

const NUMERO = '5215550001111';
const LAST = '5215550099999';
const SEEDS: Seed[] = [
  { numero: NUMERO, state: 'connected' },
  { numero: LAST, state: 'qr' },
];
const THOUSAND: Seed[] = Array.from({ length: 1_000 }, (_, index) => ({
  numero: `52155${String(index).padStart(8, '0')}`,
  state: index % 2 ? 'qr' : 'connected',
}));

describe('the drawer of the simulated phones', () => {
  let gateway: Gateway;
  let demo: DemoPage;

  const browser = inBrowser(() => ({ demo, gateway }));

  async function start(seeds = SEEDS, width?: number, height?: number): Promise<void> {
    gateway = createGateway({ port: 0, sessions: seeds, clock: new ManualClock() });
    demo = await DemoPage.open(browser(), await gateway.listen(), width, height);
    await demo.page.waitForSelector('#phones-toggle', VISIBLE);
  }

  test('is a sheet on a phone: closed at first, closed by Escape, keeping the focus', async () => {
    await start(SEEDS, 320, 640);
    const { page } = demo;
    const toggle = await demo.byRole('button', 'Teléfonos simulados');
    assert.equal(await page.$('aside:not([hidden])'), null);
    await toggle.focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('aside', VISIBLE);

    await demo.says('drawer', NUMERO, 'Cortar la línea');
    await until(async () => {
      await page.keyboard.press('Tab');
      return page.evaluate(() => document.activeElement?.textContent === 'Cortar la línea');
    }, 'the keyboard to reach the phone');
    await page.keyboard.press('Escape');

    await page.waitForSelector('aside', { hidden: true });
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'phones-toggle');
    assert.equal(await toggle.evaluate(({ ariaExpanded }) => ariaExpanded), 'false');

    await toggle.asLocator().click();
    await demo.click('button', 'Cerrar los teléfonos');
    await page.waitForSelector('aside', { hidden: true });
  });

  test('is at most 46 % as high as a phone, and brings the waiting code into view above it', async () => {
    await start(SEEDS, 360, 740);
    await demo.byRole('image', `Código QR para vincular ${LAST}`);
    await demo.click('button', 'Teléfonos simulados');
    const code = await (await demo.article('panel', LAST)).$('svg[role="img"]');
    await until(async () => {
      const [top, bottom, sheet, height] = await demo.page.evaluate((svg) => {
        const box = svg?.getBoundingClientRect();
        const { top: edge, height: high } = document.querySelector('aside')?.getBoundingClientRect() ?? {};
        return [box?.top, box?.bottom, edge, high].map(Number) as [number, number, number, number];
      }, code);
      assert.ok(height <= 0.46 * 740, `${height} px high`);
      return top >= 0 && bottom <= sheet;
    }, 'all of the code to be above the sheet');
  });

  test('never covers the end of the panel, and fits 320 px', async () => {
    await start(SEEDS, 320, 640);
    const [footer, bar, overflow] = await demo.page.evaluate(() => {
      scrollTo(0, document.documentElement.scrollHeight);
      const root = document.querySelector('whatsapp-operadores')?.shadowRoot;
      const bottom = root?.querySelector('footer')?.getBoundingClientRect().bottom;
      const top = document.querySelector('header')?.getBoundingClientRect().top;
      return [bottom, top, document.documentElement.scrollWidth - innerWidth];
    });
    assert.ok(footer !== undefined && bar !== undefined && footer <= bar, `${footer} is below ${bar}`);
    assert.equal(overflow, 0);
  });

  test('is open from 1440 px on, and below where somebody opens it', async () => {
    await start();
    const { page } = demo;
    await page.waitForSelector('aside', VISIBLE);
    for (const width of [1200, 600]) {
      await page.setViewport({ width, height: 800 });
      await page.waitForSelector('aside', { hidden: true });
      await demo.click('button', 'Teléfonos simulados');
      await page.waitForSelector('aside', VISIBLE);
    }
  });

  test('reaches from the bar to the lower edge, however far the page is scrolled', async () => {
    await start(THOUSAND.slice(0, 8));
    await demo.says('panel', '5215500000007', 'AUTENTICANDO...');
    for (const y of [0, 30, 500]) {
      const [top, bottom] = await demo.page.evaluate((to) => {
        scrollTo(0, to);
        const box = document.querySelector('aside')?.getBoundingClientRect();
        return [box?.top, box?.bottom];
      }, y);
      assert.deepEqual([top, bottom], [48, 900]);
    }
  });

  test('counts in the bar the phones that wait for a scan', async () => {
    await start();
    const count = () =>
      demo.page.$eval('#phones-waiting', (element) =>
        element.checkVisibility() ? `${element.getAttribute('data-count')}${element.textContent}` : '',
      );
    assert.equal(await count(), '1 espera que lo escaneen');
    await demo.press('drawer', LAST, 'Escanear el código');
    await until(async () => (await count()) === '', 'none to wait');
  });

  test('shows a phone first that can scan a code', async () => {
    await start();
    const phone = await demo.article('drawer', LAST);
    assert.ok(await phone.isIntersectingViewport({ threshold: 1 }));
    assert.equal(await demo.page.$eval('aside h3', ({ textContent }) => textContent), LAST);
    // The one that is open.
    await demo.page.waitForSelector('aside ::-p-text(Escanear el código)', VISIBLE);
  });

  test('has one phone open at a time, each of the others a line of 56 px', async () => {
    await start();
    const lines = await demo.page.$$('aside .line > summary');
    const open = () =>
      demo.page.$$eval('aside [open] > summary h3', (all) => all.map(({ textContent }) => textContent));
    assert.deepEqual(await open(), [LAST]);
    await lines[1]?.asLocator().click();
    await until(async () => (await open()).join() === NUMERO, 'only the other one to be open');
    assert.deepEqual(
      await Promise.all(lines.map((line) => line.evaluate(({ offsetHeight }) => offsetHeight))),
      [56, 56],
    );
  });

  test('moves the focus on when its button is hidden', async () => {
    await start();
    const cut = await demo.article('drawer', NUMERO);
    await demo.says('drawer', NUMERO, 'Cortar la línea');
    await (await cut.$('::-p-text(Cortar la línea)'))?.focus();
    await demo.page.keyboard.press('Enter');
    await demo.says('panel', NUMERO, 'OPENING');
    await demo.page.waitForFunction(() => document.activeElement?.textContent === 'Recuperar la línea');
    assert.deepEqual(demo.complaints, []);
  });

  test('scrolls to the phone of a new message, unless the person is busy with another one', async () => {
    await start(THOUSAND.slice(0, 24));
    const last = '5215500000022';
    const isInView = () =>
      demo.article('drawer', last).then((phone) => phone.isIntersectingViewport({ threshold: 1 }));
    await demo.isLive();

    await (await demo.byRole('searchbox', 'Buscar número')).focus();
    await gateway.phones.send('5215500000000', last, 'Uno');
    await demo.page.waitForSelector(`aside [role="status"]::-p-text(Mensaje nuevo en ${last}: Uno)`);
    assert.equal(await isInView(), false);

    await (await demo.byRole('button', 'Agregar una nueva sesión')).focus();
    await gateway.phones.send('5215500000000', last, 'Dos');
    await demo.says('drawer', last, 'Dos');
    await until(isInView, 'the phone to come into view');
  });

  test('shows those of a thousand that ask for something, and finds any by its number', async () => {
    await start(THOUSAND);
    await demo.says('drawer', '5215500000001', 'Escanear el código');
    assert.equal(await demo.page.$$eval('aside article', (all) => all.length), 24);
    assert.equal(await demo.page.$('aside [data-tone="good"]'), null);
    await demo.page.waitForSelector('aside [role="status"]::-p-text(24 de 1000)');

    await (await demo.byRole('searchbox', 'Buscar número')).type('0000 0999');
    await demo.press('drawer', '5215500000999', 'Escanear el código');
    await demo.says('drawer', '5215500000999', 'Vinculando…');
    assert.equal(await demo.page.$$eval('aside article', (all) => all.length), 1);
  });

  test('shows whichever of a thousand gets a message, in the place of another one', async () => {
    await start(THOUSAND);
    await demo.isLive();
    await gateway.phones.send('5215500000002', '5215500000998', 'Uno');
    await demo.says('drawer', '5215500000998', 'Uno');
    assert.equal(await demo.page.$$eval('aside article', (all) => all.length), 24);
  });

  test('has no filter for a few phones', async () => {
    await start();
    await demo.says('drawer', NUMERO, 'Conectado');
    assert.equal(await demo.page.$('#phones-filter:not([hidden])'), null);
  });

  test('is missing when the gateway has no simulator', async () => {
    gateway = createGateway({ port: 0, sessions: SEEDS });
    const asked = new Set<string>();
    gateway.app.addHook('onRequest', async (request, reply) => {
      asked.add(request.url);
      if (request.url.startsWith('/simulator')) return reply.code(404).send({ message: 'No existe' });
    });
    demo = await DemoPage.open(browser(), await gateway.listen());
    await demo.says('panel', NUMERO, 'CONNECTED');
    await until(() => asked.has('/simulator/phones'), 'the page to ask for the phones');
    await demo.page.waitForNetworkIdle({ idleTime: 200 });

    assert.equal(await demo.page.$('aside:not([hidden])'), null);
    assert.equal(asked.has('/phones/drawer.js'), false);
    assert.equal(await demo.page.$eval('main', (main) => main.clientWidth === innerWidth), true);
  });
});
