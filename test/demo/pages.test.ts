import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { REPORTED_STATES } from '../../gateway/src/engines/simulated/faults.ts';
import { createSeeds } from '../../gateway/src/engines/simulated/seeds.ts';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import type { GatewayOptions } from '../../gateway/src/gateway-options.ts';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { STATES } from '../../src/wire.ts';
import { until } from '../support/until.ts';
import { DemoPage, launchBrowser, panelsListen, RECORDED_FAILURE, scenesPlayed } from './demo-page.ts';

const NUMERO = '5215550001111';
/** Longer than a phone takes from a start to a code. */
const MOMENT = 2_000;

/** What each page is for, in one browser; the rest of what they promise is tested at night. */
describe('the pages of the demo', () => {
  let browser: Browser;
  let gateways: Gateway[] = [];
  let demo: DemoPage;

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(async () => {
    await demo.page.close();
    for (const gateway of gateways) await gateway.close();
    gateways = [];
  });

  function start(options: GatewayOptions = {}): Gateway {
    const sessions = [{ numero: NUMERO, state: 'connected' }] as const;
    const gateway = createGateway({ port: 0, sessions, clock: new ManualClock(), ...options });
    gateways.push(gateway);
    return gateway;
  }

  async function open(gateway: Gateway, address = ''): Promise<void> {
    demo = await DemoPage.open(browser, new URL(address, await gateway.listen()).href);
  }

  test('the gallery shows every state, dialog and kind of notice, without a server', async () => {
    const gateway = start({ sessions: [] });
    const calls: string[] = [];
    gateway.app.addHook('onRequest', async ({ url }) => {
      if (/^\/(api|socket\.io|simulator)/.test(url)) calls.push(url);
    });
    await open(gateway, 'states.html');
    const shown = { states: new Set<string>(), dialogs: new Set<string>(), notices: 0 };
    const chapters = await demo.page.$$eval('#chapters a', (all) => all.map(({ hash }) => hash));
    for (const chapter of chapters) {
      await demo.page.evaluate((hash) => location.assign(hash), chapter);
      // Until then the frames are those of the chapter before.
      await demo.page.waitForSelector(`#chapters [href="${chapter}"][aria-current="page"]`);
      await scenesPlayed(demo);
      const { states, dialogs, notices } = await demo.page.evaluate(shownInFrames);
      for (const state of states) shown.states.add(state);
      for (const dialog of dialogs) shown.dialogs.add(dialog);
      shown.notices += notices;
    }
    for (const state of [...Object.values(STATES), ...REPORTED_STATES])
      assert.ok(shown.states.has(state), `${state} is not among ${[...shown.states].join(', ')}`);
    const numero = '5215550001111';
    for (const title of [
      'Número de teléfono',
      `¿Estas seguro de eliminar la sesión de ${numero}?`,
      `Vincular ${numero}`,
      `Historial de ${numero}`,
      `¿Desvincular el WhatsApp de ${numero}?`,
      `Enlace para vincular ${numero}`,
    ])
      assert.ok(shown.dialogs.has(title), `${title} is not among ${[...shown.dialogs].join(', ')}`);
    assert.ok(shown.notices >= 5, `${shown.notices} notices`);

    const unexpected = demo.complaints.filter((text) => !RECORDED_FAILURE.test(text));
    assert.deepEqual(unexpected, []);
    assert.deepEqual(calls, []);
  });

  test('the intranet has two panels of one server, and leaves no socket behind on another view', async () => {
    const gateway = start();
    // Chromium logs a WebSocket that is closed while it opens.
    const listen = (count: number) => panelsListen(gateway, count);
    await open(gateway, 'portal.html#sesiones');
    await demo.says('panel', NUMERO, 'CONNECTED');
    await until(() => listen(2), 'the panels to listen');

    await demo.click('link', 'Directorio');
    await until(() => listen(0), 'the panels to leave');
    assert.equal(await demo.page.$('whatsapp-operadores'), null);

    await demo.page.goBack();
    await until(() => listen(2), 'the panels to be back');
    await demo.says('panel', NUMERO, 'CONNECTED');
    assert.deepEqual(demo.complaints, []);
  });

  test('the settings of the intranet have one of the sessions of a new gateway, and link it again', async () => {
    const sessions = createSeeds(2);
    const [{ numero } = { numero: '' }] = sessions;
    const clock = new ManualClock();
    const gateway = start({ sessions, clock });
    await open(gateway, 'portal.html#ajustes');
    await demo.says('panel', numero, 'CONNECTED');
    await until(() => panelsListen(gateway, 1), 'the panel to listen');
    assert.equal((await demo.page.$$('whatsapp-operadores >>> article')).length, 1);

    gateway.phones.phone(numero).logOut();
    await demo.press('panel', numero, 'Levantar Sesión');
    await demo.says('panel', numero, 'AUTENTICANDO...');
    clock.advance(MOMENT);
    await demo.byRole('image', `Código QR para vincular ${numero}`);
    await demo.says('panel', numero, 'Apunta la cámara a este código');
    assert.deepEqual(demo.complaints, []);
  });

  test('the front page shows the snippets of the documentation, each with a button that copies it', async () => {
    const gateway = start();
    await open(gateway);
    await demo.says('panel', NUMERO, 'CONNECTED');
    await demo.click('button', 'Ponlo en tu página');
    await demo.page.waitForSelector('#own-page:modal');
    const documented = ['README.md', 'docs/frameworks.md'].map((file) => readFileSync(file, 'utf8')).join('');
    for (const [way, begin] of [
      ['Etiqueta', /^<script/],
      ['npm', /^import/],
      ['Otro servidor', /^<script src="http/],
    ] as const) {
      await demo.click('radio', way);
      const shown = await demo.page.$$eval('#own-page pre', (all) =>
        all.filter((one) => one.checkVisibility()).map(({ textContent }) => textContent),
      );
      assert.equal(shown.length, 1);
      assert.match(shown[0] ?? '', begin);
      assert.ok(documented.includes(shown[0] ?? ''), shown[0]);
      await demo.click('button', 'Copiar');
      await demo.page.waitForSelector('#copied ::-p-text(Copiado)');
    }
    await demo.page.setViewport({ width: 320, height: 640 });
    const broken = await demo.page.$$eval('#own-page pre b', (tags) =>
      tags.filter((tag) => tag.getClientRects().length > 1).map(({ textContent }) => textContent),
    );
    assert.deepEqual(broken, []);
    assert.deepEqual(demo.complaints, []);
  });

  test('the drawer is a column beside the panel on a wide window, and can be closed', async () => {
    await open(start());
    await demo.says('drawer', NUMERO, 'Conectado');
    assert.equal(await overlap(demo), false);

    const toggle = await demo.byRole('button', 'Teléfonos simulados');
    await toggle.asLocator().click();
    await demo.page.waitForSelector('aside', { hidden: true });
    assert.equal(await toggle.evaluate((button) => button.ariaExpanded), 'false');
    assert.equal(await overlap(demo), false);
  });
});

/** Whether the drawer lies over the panel. */
function overlap(demo: DemoPage): Promise<boolean | undefined> {
  return demo.page.evaluate(() => {
    const panel = document.querySelector('main')?.getBoundingClientRect();
    const drawer = document.querySelector('aside')?.getBoundingClientRect();
    return panel && drawer && drawer.right > panel.left && drawer.left < panel.right;
  });
}

/** Runs in the gallery: what the panels of its frames show. */
function shownInFrames() {
  const states: string[] = [];
  const dialogs: string[] = [];
  let notices = 0;
  for (const { contentDocument } of document.querySelectorAll('iframe')) {
    const panel = contentDocument?.querySelector('whatsapp-operadores')?.shadowRoot;
    for (const { textContent } of panel?.querySelectorAll('[part="state"]') ?? []) states.push(textContent);
    for (const heading of panel?.querySelectorAll('dialog[open] h2') ?? []) dialogs.push(heading.textContent);
    notices += panel?.querySelectorAll('.Toastify__toast').length ?? 0;
  }
  return { states, dialogs, notices };
}
