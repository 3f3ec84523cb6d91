import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import type { Seed } from '../../gateway/src/engines/simulated/seeds.ts';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import type { GatewayOptions } from '../../gateway/src/gateway-options.ts';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { stablePort } from '../support/stable-port.ts';
import { until } from '../support/until.ts';
import { DemoPage, launchBrowser, VISIBLE } from './demo-page.ts';

const NUMERO = '5215550001111';
const OTHER = '34600111222';
const SEEDS: Seed[] = [
  { numero: NUMERO, state: 'connected' },
  { numero: OTHER, state: 'qr' },
];

describe('the portal', () => {
  let browser: Browser;
  const gateways: Gateway[] = [];
  let demo: DemoPage;

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(async () => {
    await demo.page.close();
    for (const gateway of gateways.splice(0)) await gateway.close();
  });

  async function start(options: GatewayOptions = {}): Promise<Gateway> {
    const gateway = createGateway({ port: 0, sessions: SEEDS, clock: new ManualClock(), ...options });
    gateways.push(gateway);
    await gateway.listen();
    return gateway;
  }

  async function open(gateway: Gateway, view = 'sesiones', width?: number): Promise<void> {
    demo = await DemoPage.open(browser, `${gateway.url}/portal.html#${view}`, width);
  }

  /** Follows a link by its text. */
  async function visit(name: string): Promise<void> {
    await demo.click('link', name);
  }

  const badge = () => demo.page.$eval('#badge [aria-hidden]', ({ textContent }) => textContent);
  const badgeWords = () => demo.page.$eval('#badge', (element) => element.getAttribute('title') ?? '');
  const badgeIsLive = () =>
    demo.page.$eval('#badge', ({ className }) => className.includes('text-bg-danger'));

  const fact = (name: string) => demo.page.$eval(`[data-fact="${name}"]`, ({ textContent }) => textContent);

  test('switches the panel to dark mode too', async () => {
    const gateway = await start();
    await open(gateway);
    await demo.says('panel', NUMERO, 'CONNECTED');
    const colors = () =>
      demo.page.evaluate(() =>
        ['.panel', '.card', 'h2'].map((selector) => {
          const element = document.querySelector('whatsapp-operadores')?.shadowRoot?.querySelector(selector);
          if (!element) throw new Error(`There is no ${selector}`);
          const { backgroundColor, color } = getComputedStyle(element);
          return `${backgroundColor} ${color}`;
        }),
      );
    const light = await colors();
    await demo.click('checkbox', 'Modo oscuro');
    const dark = await colors();
    for (const [index, color] of dark.entries()) assert.notEqual(color, light[index]);
    await demo.click('checkbox', 'Modo oscuro');
    assert.deepEqual(await colors(), light);
  });

  test('shows events in the log and in the badge', async () => {
    const gateway = await start();
    await open(gateway);
    await demo.says('panel', NUMERO, 'CONNECTED');
    await until(async () => (await badge()) === '1', 'the badge to count');
    assert.equal(await badgeWords(), 'Requieren atención: 1 de 2');
    await until(badgeIsLive, 'the connection to be heard');

    gateway.phones.loseLine(NUMERO);
    await demo.page.waitForSelector(`#log-list ::-p-text(${NUMERO}: CONNECTED → OPENING)`);
    await until(async () => /se cayeron: 1$/.test(await badgeWords()), 'the badge to follow');
    const details = await demo.page.$eval('.wo-session-change pre', (element) => element.textContent);
    assert.deepEqual(JSON.parse(details), {
      numero: NUMERO,
      state: 'OPENING',
      previousState: 'CONNECTED',
      asks: 'wait',
      dropped: true,
    });
    gateway.phones.logOut(NUMERO);
    await until(async () => (await badge()) === '2', 'the badge to count both');
    const [list] = await demo.page.$$eval('.wo-sessions pre', (all) => all.map((one) => one.textContent));
    assert.equal(JSON.parse(list ?? '').sessions.length, 2);

    await visit('Turnos');
    await demo.page.waitForSelector('main ::-p-text(Responsable)');
    assert.equal(await badgeIsLive(), false);
    assert.equal(await badge(), '2');
    assert.match(await badgeWords(), /^Requieren atención: 2 de 2; se cayeron: 1 \(a las \d\d:\d\d\)$/);
    assert.deepEqual(demo.complaints, []);

    await demo.page.locator('#log-clear').click();
    assert.equal(await demo.page.$('#log-list > *'), null);
  });

  test('shows figures at once, and keeps them up to date', async () => {
    const gateway = await start();
    await open(gateway, 'resumen');
    await until(async () => (await fact('well')) === '1' && (await fact('act')) === '1', 'the figures');
    await demo.page.waitForSelector('main ::-p-text(Última noticia del panel)');
    assert.equal(await demo.page.$eval('whatsapp-operadores', (panel) => panel.checkVisibility()), false);
    await until(badgeIsLive, 'the connection to be heard');
    gateway.phones.logOut(NUMERO);
    await until(async () => (await fact('well')) === '0' && (await fact('act')) === '2', 'the new figures');
    assert.deepEqual(demo.complaints, []);
  });

  test('shows a lost server, and a failed call', async () => {
    const gateway = await start();
    await open(gateway);
    await until(badgeIsLive, 'the connection to be heard');
    await demo.says('panel', NUMERO, 'CONNECTED');
    await gateway.close();
    await demo.page.waitForSelector('#log-list ::-p-text(Sin el servidor)');
    await until(async () => !(await badgeIsLive()), 'the badge to turn grey');
    await demo.press('panel', NUMERO, 'Levantar Sesión');
    await demo.page.waitForSelector('#log-list ::-p-text(up: Network Error)');
  });

  test('has a panel for each of two servers, under its policy', async () => {
    const port = await stablePort();
    const second = await start({
      sessions: [{ numero: '5731000000001', state: 'connected' }],
      allowOrigins: [`http://127.0.0.1:${port}`],
    });
    const gateway = await start({ port, otherServers: [second.url] });
    await open(gateway, 'sedes');
    await demo.says('panel', NUMERO, 'CONNECTED');
    await demo.page.waitForSelector('[data-sede="Norte"] >>> ::-p-text(5731000000001)', VISIBLE);
    await until(() => second.io.of('/').sockets.size === 1, 'the second panel to listen');
    await until(() => gateway.io.of('/').sockets.size === 1, 'the first panel to listen');
    assert.equal(await demo.page.$('[data-same-server]'), null);
    assert.deepEqual(demo.complaints, []);
  });

  test("says how to start two servers, with this one's current port", async () => {
    const gateway = await start();
    await open(gateway, 'sedes');
    const commands = () => demo.page.$eval('[data-same-server] pre', ({ textContent }) => textContent);
    const port = Number(new URL(gateway.url).port);
    await demo.page.waitForSelector('[data-same-server]');
    assert.equal(
      await commands(),
      `npm start -- --port ${port + 1} --allow-origin ${gateway.url}\n` +
        `npm start -- --port ${port} --other-server http://127.0.0.1:${port + 1}`,
    );
  });

  test('is linked from the standalone page, and links back', async () => {
    const gateway = await start();
    demo = await DemoPage.open(browser, gateway.url);
    // Content that loads above the link moves it.
    await demo.says('panel', NUMERO, 'CONNECTED');
    await demo.article('drawer', NUMERO);
    await visit('En una intranet');
    await demo.page.waitForSelector('#tabs');
    await visit('Página sencilla');
    await demo.page.waitForSelector('.front');
  });

  for (const width of [320, 768, 1440]) {
    test(`fits ${width} px in each of its views`, async () => {
      const gateway = await start();
      await open(gateway, 'sesiones', width);
      await demo.says('panel', NUMERO, 'CONNECTED');
      const views = await demo.page.$$eval('template', (all) => all.map(({ id }) => id));
      for (const view of views) {
        await demo.page.evaluate((id) => location.assign(`#${id}`), view);
        await demo.page.waitForFunction(
          (id) =>
            document.title.startsWith(document.querySelector<HTMLElement>(`#${id}`)?.dataset.title ?? '?'),
          {},
          view,
        );
        const overflow = await demo.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.equal(overflow, 0, view);
      }
    });
  }
});
