import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DemoPage, launchBrowser, VISIBLE } from '../../../test/demo/demo-page.ts';
import { until } from '../../../test/support/until.ts';
import { NUMERO, OTHER, startLab } from './support/lab.ts';

test('a phone scans the code on the panel and receives a message: through panel, gateway and client library', async (t) => {
  const lab = await startLab(t);
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const demo = await DemoPage.open(browser, lab.gateway.url);

  // An overlay covers the panel until it has its list.
  await demo.page.waitForSelector('whatsapp-operadores >>> [aria-busy="false"]', VISIBLE);
  await demo.click('button', 'Agregar una nueva sesión');
  await demo.byRole('textbox', 'Número de teléfono');
  await demo.page.keyboard.type(NUMERO);
  await demo.page.keyboard.press('Enter');
  const card = await demo.article('panel', NUMERO);
  await until(async () => {
    const text = await demo.codeOf(NUMERO);
    if (!text) return false;
    await lab.whatsapp.phone(NUMERO).scan(text);
    return true;
  }, 'a code on the screen that the phone takes');
  await demo.says('panel', NUMERO, 'CONNECTED');

  const [text, number] = await card.$$('input');
  await text?.type('Hola desde el panel');
  await number?.type(`+${OTHER}`);
  await demo.page.keyboard.press('Enter');
  await until(
    () => lab.whatsapp.phone(OTHER).messages.some((received) => received.text === 'Hola desde el panel'),
    'the other phone to read it',
  );

  await lab.whatsapp.phone(NUMERO).unlink();
  await demo.says('panel', NUMERO, 'DESCONECTADO');
  assert.deepEqual(
    demo.complaints.filter((complaint) => !complaint.includes('404')),
    [],
  );
});
