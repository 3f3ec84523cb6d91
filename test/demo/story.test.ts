import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Seed } from '../../gateway/src/engines/simulated/seeds.ts';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import { Listener } from '../../gateway/test/support/gateway.ts';
import type { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { stablePort } from '../support/stable-port.ts';
import { until } from '../support/until.ts';
import { type DemoPage, inBrowser, openDemo } from './demo-page.ts';

const NUMERO = '5215550001111';
const FRIEND = '34600111222';
const SEEDS: Seed[] = [{ numero: FRIEND, state: 'connected' }];

/** The phone's text once its session is starting: from then on the clock may move. */
const STARTING = 'El código está por llegar al panel';
/** The text of one that is linked. */
const RESTARTING = 'Conectando…';

/** Longer than from a start to its first code, and from a scan to ready. */
const MOMENT = 2_000;
/** Longer than all six codes live. */
const ALL_CODES = 170_000;
/** How long the panel shows codes, by its own clock, in which the test may stand still. */
const HOUR = 3_600_000;

describe('the standalone page', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let demo: DemoPage;

  const browser = inBrowser(() => ({ demo, gateway }));

  beforeEach(async () => {
    ({ clock, gateway, demo } = await openDemo(browser(), { port: await stablePort(), sessions: SEEDS }));
    clock.advance(HOUR);
    await demo.keepNotices();
  });

  /** Restarts the session, and advances the clock once its phone waits for a code. */
  async function startAgain(ms = MOMENT): Promise<void> {
    await demo.press('panel', NUMERO, 'Levantar Sesión');
    await demo.answered(NUMERO);
    await demo.says('panel', NUMERO, 'AUTENTICANDO...');
    await demo.says('drawer', NUMERO, STARTING);
    clock.advance(ms);
  }

  test('shows the whole life of a session', async (t) => {
    const { page } = demo;
    const pushes = await Listener.connect(t, gateway);

    await (await demo.byRole('button', 'Agregar una nueva sesión')).focus();
    await page.keyboard.press('Enter');
    await (await demo.byRole('textbox', 'Número de teléfono')).type(NUMERO);
    await page.keyboard.press('Enter');
    await demo.tells(`La sesión de ${NUMERO} comenzará a levantarse`);
    await demo.says('panel', NUMERO, 'AUTENTICANDO...');
    await demo.says('drawer', NUMERO, STARTING);
    clock.advance(MOMENT);
    await demo.byRole('image', `Código QR para vincular ${NUMERO}`);
    await demo.press('drawer', NUMERO, 'Escanear el código');
    await demo.says('drawer', NUMERO, 'Vinculando…');
    await pushes.heard(`session:authenticated:${NUMERO}`);
    clock.advance(MOMENT);
    await demo.says('panel', NUMERO, 'CONNECTED');
    await demo.says('drawer', NUMERO, 'Conectado');

    const [message, number] = await (await demo.article('panel', NUMERO)).$$('input');
    await message?.type('Hola, <b>¿llega?</b>');
    await number?.type(FRIEND);
    await demo.press('panel', NUMERO, 'Enviar Mensaje');
    await demo.says('drawer', FRIEND, 'Hola, <b>¿llega?</b>');
    await demo.says('drawer', FRIEND, `De ${NUMERO}`);

    const title = await page.title();
    await demo.press('drawer', NUMERO, 'Cortar la línea');
    await demo.says('panel', NUMERO, 'OPENING');
    await until(async () => (await page.title()) === `(1) ${title}`, 'the title to count it');
    await demo.says('drawer', NUMERO, 'Sin línea');
    await demo.press('drawer', NUMERO, 'Recuperar la línea');
    await demo.says('panel', NUMERO, 'CONNECTED');
    await until(async () => (await page.title()) === title, 'the title to be as before');

    await demo.press('panel', NUMERO, 'Levantar Sesión');
    await demo.says('drawer', NUMERO, RESTARTING);
    clock.advance(MOMENT);
    await pushes.heard(`session:ready:${NUMERO}`, 1);
    const codes = pushes.names.filter((name) => name === `session:qr:${NUMERO}`);
    assert.equal(codes.length, 1, 'it took a new code');
    await demo.says('panel', NUMERO, 'CONNECTED');

    await demo.press('drawer', NUMERO, 'Desvincular');
    await demo.says('panel', NUMERO, 'DESCONECTADO');
    await demo.says('drawer', NUMERO, 'Levanta la sesión en el panel para ver un código');

    // In one step: from several codes the panel would learn their lifetime, by its own clock.
    await startAgain(ALL_CODES);
    await demo.says('panel', NUMERO, 'DESCONECTADO');
    await demo.says('drawer', NUMERO, 'Levanta la sesión en el panel para ver un código');

    await startAgain();
    await demo.byRole('image', `Código QR para vincular ${NUMERO}`);
    await demo.press('panel', NUMERO, 'Eliminar Sesión');
    await demo.click('button', 'Eliminar');
    await demo.tells(`La sesión de ${NUMERO} ha sido eliminada`);
    await demo.gone('panel', NUMERO);
    await demo.gone('drawer', NUMERO);

    assert.deepEqual(demo.complaints, []);
  });

  test('recovers by itself after a restart of the gateway', async () => {
    await demo.says('drawer', FRIEND, 'Conectado');
    const port = Number(new URL(gateway.url).port);
    await gateway.close();
    await demo.page.waitForSelector('aside ::-p-text(Sin conexión con los teléfonos)');

    gateway = createGateway({ port, sessions: [...SEEDS, { numero: NUMERO, state: 'qr' }], clock });
    await gateway.listen();
    await demo.says('panel', NUMERO, 'AUTENTICANDO...');
    await demo.press('drawer', NUMERO, 'Escanear el código');
    await demo.says('drawer', NUMERO, 'Vinculando…');
    clock.advance(MOMENT);
    await demo.says('panel', NUMERO, 'CONNECTED');
    await demo.says('drawer', NUMERO, 'Conectado');
    assert.equal(await demo.page.$eval('#phones-lost', (element) => element.textContent), '');

    const unexpected = demo.complaints.filter((text) => !/ERR_|WebSocket connection/.test(text));
    assert.deepEqual(unexpected, []);
  });

  test('shows the phone of any number that receives a message', async () => {
    const stranger = '5731000000001';
    await demo.isLive();
    // A card gets its fields some frames after it comes.
    await demo.says('panel', FRIEND, 'Enviar Mensaje');
    const [message, number] = await (await demo.article('panel', FRIEND)).$$('input');
    await message?.type('¿Quién eres?');
    await number?.type(stranger);
    await demo.press('panel', FRIEND, 'Enviar Mensaje');

    await demo.says('drawer', stranger, '¿Quién eres?');
    await demo.page.waitForSelector(
      `aside [role="status"]::-p-text(Mensaje nuevo en ${stranger}: ¿Quién eres?)`,
    );
  });
});
