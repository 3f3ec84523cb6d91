import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLink } from '../../gateway/test/cluster/support/link.ts';
import { startGateway } from '../../gateway/test/support/gateway.ts';
import { until } from '../support/until.ts';
import { DemoPage, launchBrowser, panelsListen } from './demo-page.ts';

const NUMERO = '5215550001111';
const LONG = 'x'.repeat(20_000);

test('a panel that was closed for not reading reconnects and shows the current list', async (t) => {
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const gateway = await startGateway(t, { sessions: [{ numero: NUMERO, state: 'connected' }] });
  const link = await startLink(t, Number(new URL(gateway.url).port));
  const demo = await DemoPage.open(browser, link.url(gateway.url));
  await demo.says('panel', NUMERO, 'CONNECTED');
  const { engine } = gateway.io;
  // An unread poll has another limit, half a minute later.
  await until(() => panelsListen(gateway, 1), 'a WebSocket');

  link.freeze();
  await until(async () => {
    for (let index = 0; index < 25; index += 1) gateway.phones.phone(NUMERO).report(`${index} ${LONG}`);
    await sleep(50);
    return engine.clientsCount === 0;
  }, 'it to be closed');
  gateway.phones.phone(NUMERO).report('CONFLICT');
  link.thaw();
  await demo.says('panel', NUMERO, 'CONFLICT');
  // It receives pushes again, too.
  await until(() => gateway.io.of('/').sockets.size > 0, 'a live connection');
  gateway.phones.phone(NUMERO).report('OPENING');
  await demo.says('panel', NUMERO, 'OPENING');
});
