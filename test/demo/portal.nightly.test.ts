import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { until } from '../support/until.ts';
import { DemoPage, inBrowser, panelsListen } from './demo-page.ts';

const NUMERO = '5215550001111';

describe('the intranet', () => {
  let gateway: Gateway;
  let demo: DemoPage;

  const browser = inBrowser(() => ({ demo, gateway }));
  beforeEach(async () => {
    gateway = createGateway({
      port: 0,
      sessions: [
        { numero: NUMERO, state: 'connected' },
        { numero: '34600111222', state: 'qr' },
      ],
      clock: new ManualClock(),
    });
    demo = await DemoPage.open(browser(), `${await gateway.listen()}/portal.html`);
    await demo.says('panel', NUMERO, 'CONNECTED');
    await until(() => panelsListen(gateway, 2), 'both panels to listen');
  });

  const badge = () => demo.page.$eval('span#badge', ({ title }) => title);

  test('lists the events of both panels, and counts in its bar what requires attention', async () => {
    await until(async () => (await badge()) === 'Requieren atención: 1 de 2', 'the badge to count');
    await demo.page.click('summary');
    gateway.phones.phone(NUMERO).loseLine();
    await until(
      () =>
        demo.page.$$eval(
          '#log li',
          (all, text) => all.filter(({ textContent }) => textContent.includes(text)).length === 2,
          `${NUMERO}: CONNECTED → OPENING`,
        ),
      'both to tell',
    );
    gateway.phones.phone(NUMERO).logOut();
    await until(async () => (await badge()) === 'Requieren atención: 2 de 2', 'the badge to count both');

    await demo.click('link', 'Directorio');
    await demo.page.waitForSelector('main ::-p-text(Sistemas)');
    assert.equal(await badge(), 'Requieren atención: 2 de 2');
    assert.deepEqual(demo.complaints, []);
  });

  test('lists a lost server, and a failed call', async () => {
    await gateway.close();
    await demo.page.waitForSelector('#log ::-p-text(Sin el servidor)');
    await demo.press('panel', NUMERO, 'Levantar Sesión');
    await demo.page.waitForSelector('#log ::-p-text(up: Network Error)');
  });
});
