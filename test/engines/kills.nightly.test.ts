import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { NUMERO } from '../../gateway/test/support/gateway.ts';
import { SERVERS } from '../../gateway/test/support/stand-in.ts';
import { launchBrowser, VISIBLE } from '../demo/demo-page.ts';
import { until } from '../support/until.ts';
import { add, arrives, openScene, type Scene, storyOf, typeMessage } from './story.ts';
import { isTrue } from './truth.ts';
import { FRIEND, KILLS, RemoteWorld } from './worlds.ts';

const UNSCANNED = '5731000000001';
const LATE = '5731000000002';
const WAITING = 'SIN CONEXIÓN CON EL SERVIDOR DE LA SESIÓN: se sigue intentando...';
const TITLES = { waha: 'WAHA', evolution: 'Evolution API' };

describe('the life of a session of another server', () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  for (const server of SERVERS) {
    const { title } = server;
    const noAnswer = `${TITLES[server.name]} no responde: inténtalo de nuevo en unos segundos.`;
    const open = async (t: TestContext) => openScene(t, browser, await RemoteWorld.start(t, server));

    for (const [side, kill] of Object.entries(KILLS)) {
      test(`goes on with ${title} although ${side} is killed at each step`, async (t) => {
        const scene = await open(t);
        for (const { name, act } of storyOf(scene)) {
          t.diagnostic(name);
          await act();
          await kill(scene.world);
          await isTrue(scene);
        }
      });
    }

    test(`waits for ${title}, and says so`, async (t) => {
      const scene = await open(t);
      const { demo, world } = scene;
      await link(scene);
      await typeMessage(demo);
      await add(demo, UNSCANNED);
      await until(() => demo.codeOf(UNSCANNED), 'a code on the screen');

      await world.server.kill();
      await demo.press('panel', NUMERO, 'Enviar Mensaje');
      await demo.says(
        'panel',
        NUMERO,
        `El servidor que lleva la sesión no responde: no se envió a ${FRIEND}.`,
      );
      for (const numero of [NUMERO, FRIEND, UNSCANNED]) await demo.says('panel', numero, WAITING);
      assert.equal(await demo.codeOf(UNSCANNED), undefined);

      await demo.press('panel', UNSCANNED, 'Eliminar Sesión');
      await demo.click('button', 'Eliminar');
      await demo.tells(noAnswer);
      await demo.press('panel', NUMERO, 'Levantar Sesión');
      await demo.says('panel', NUMERO, noAnswer);
      await add(demo, LATE);
      // Not the notices, which the dialog has taken in and which say the same.
      const refused = `whatsapp-operadores >>> dialog[open] .failure::-p-text(${noAnswer})`;
      await demo.page.waitForSelector(refused, VISIBLE);

      await world.server.restart();
      // The dialog has kept the numero, and the card the message.
      await demo.says('panel', NUMERO, 'CONNECTED');
      await demo.page.keyboard.press('Enter');
      await until(() => demo.codeOf(LATE), 'a code on the screen');
      await demo.press('panel', NUMERO, 'Enviar Mensaje');
      await arrives(world, 1);
      await isTrue(scene);
    });

    test(`is listed by a gateway that starts before ${title}`, async (t) => {
      const scene = await open(t);
      const { demo, world } = scene;
      await link(scene);
      await world.server.kill();
      await world.restartGateway();
      for (const numero of [NUMERO, FRIEND]) await demo.says('panel', numero, WAITING);
      await world.server.restart();
      await isTrue(scene);
    });
  }
});

/** Adds a session, and links it. */
async function link(scene: Scene): Promise<void> {
  for (const { name, act, shows } of storyOf(scene)) {
    await act();
    await shows();
    if (name === 'its phone scans the code') return;
  }
}
