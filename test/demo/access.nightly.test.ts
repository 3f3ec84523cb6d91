import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { until } from '../support/until.ts';
import { DemoPage, inBrowser, VISIBLE } from './demo-page.ts';

const TOKEN = 'un-token-de-prueba';
const NUMERO = '5215550001111';
const FRIEND = '34600111222';

describe('the demo pages of a gateway with a token', () => {
  let demo: DemoPage;
  let gateway: Gateway;

  const browser = inBrowser(() => ({ demo, gateway }));

  beforeEach(async () => {
    const sessions = [{ numero: NUMERO, state: 'connected' }] as const;
    gateway = createGateway({ port: 0, token: TOKEN, sessions, clock: new ManualClock() });
    await gateway.listen();
  });

  async function enter(token: string): Promise<void> {
    await demo.page.waitForSelector('.access input', VISIBLE);
    await (await demo.byRole('textbox', 'Token')).type(token);
    await demo.page.keyboard.press('Enter');
  }

  /** Complaints other than the 401 before the token was entered. */
  const others = () => demo.complaints.filter((text) => !/ 401 /.test(text));

  test('ask for it once, and go on by themselves when it is right', async () => {
    demo = await DemoPage.open(browser(), gateway.url);
    await demo.byRole('dialog', 'Token de acceso');
    for (let i = 0; i < 3; i += 1) await demo.page.keyboard.press('Escape');
    await enter('no€lo es');
    await demo.page.waitForSelector('.access ::-p-text(El token de acceso no es correcto)', VISIBLE);
    assert.equal(gateway.io.of('/').sockets.size + gateway.io.of('/simulator').sockets.size, 0);

    // The wrong token is selected: typing replaces it.
    await enter(` ${TOKEN}`);
    await demo.says('panel', NUMERO, 'CONNECTED');
    await demo.says('drawer', NUMERO, 'Conectado');
    assert.equal(await demo.page.$('.access'), null);
    await until(() => gateway.io.of('/').sockets.size === 1, 'the panel to listen');
    await until(() => gateway.io.of('/simulator').sockets.size === 1, 'the drawer to listen');

    const [message, number] = await (await demo.article('panel', NUMERO)).$$('input');
    await message?.type('Hola');
    await number?.type(FRIEND);
    await demo.press('panel', NUMERO, 'Enviar Mensaje');
    await demo.says('drawer', FRIEND, 'Hola');
    await demo.press('drawer', NUMERO, 'Desvincular');
    await demo.says('panel', NUMERO, 'DESCONECTADO');
    assert.deepEqual(others(), []);
  });

  test('forget it on reload', async () => {
    demo = await DemoPage.open(browser(), gateway.url);
    await enter(TOKEN);
    await demo.says('panel', NUMERO, 'CONNECTED');
    const kept = await demo.page.evaluate(async () => [
      JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.cookie + location.href,
      document.documentElement.outerHTML,
    ]);
    assert.ok(!kept.join().includes(TOKEN));
    await demo.page.reload();
    await demo.byRole('dialog', 'Token de acceso');
  });
});
