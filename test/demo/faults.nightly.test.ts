import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ElementHandle } from 'puppeteer-core';
import { ENDINGS } from '../../gateway/src/engines/simulated/endings.ts';
import {
  PHONE_FAULTS,
  type PhoneFault,
  REPORTED_STATES,
} from '../../gateway/src/engines/simulated/faults.ts';
import type { Seed } from '../../gateway/src/engines/simulated/seeds.ts';
import type { Gateway } from '../../gateway/src/gateway.ts';
import type { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { until } from '../support/until.ts';
import { type DemoPage, inBrowser, openDemo, VISIBLE } from './demo-page.ts';

const NUMERO = '5215550001111';
const FRIEND = '34600111222';
/** Longer than from a start to its first code, and from a scan to ready. */
const MOMENT = 2_000;

describe('the faults of a simulated phone', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let demo: DemoPage;

  const browser = inBrowser(() => ({ demo, gateway }));

  async function start(seed: Omit<Seed, 'numero'>, width?: number, height?: number): Promise<void> {
    const sessions: Seed[] = [
      { numero: NUMERO, ...seed },
      { numero: FRIEND, state: 'connected' },
    ];
    ({ clock, gateway, demo } = await openDemo(browser(), { sessions, width, height }));
    await demo.page.waitForSelector('#phones-toggle', VISIBLE);
  }

  /** Opens the disclosure 'Fallas' of the phone, and returns its select. */
  async function open(): Promise<ElementHandle<HTMLSelectElement>> {
    await demo.says('drawer', NUMERO, 'Falla');
    const phone = await demo.article('drawer', NUMERO);
    if (!(await phone.$('.trouble[open]'))) await (await phone.$('.trouble summary'))?.asLocator().click();
    // The last one has been answered.
    await phone.waitForSelector('.trouble button:not([aria-disabled])');
    const select = await phone.waitForSelector('.trouble select', VISIBLE);
    assert.ok(select);
    return select.toElement('select');
  }

  async function apply(value: string): Promise<void> {
    await (await open()).select(value);
    await demo.press('drawer', NUMERO, 'Aplicar');
  }

  /** Gives the phone a fault, or none. */
  async function choose(fault: PhoneFault | null): Promise<void> {
    await apply(fault === null ? 'fault' : `fault ${fault}`);
    await until(() => gateway.phones.get(NUMERO)?.fault === fault, `the phone to have the fault '${fault}'`);
  }

  test('are one line until opened, and offer all that the gateway knows', async () => {
    await start({ state: 'connected' });
    await demo.says('drawer', NUMERO, 'Fallas');
    const phone = await demo.article('drawer', NUMERO);
    assert.equal(await phone.$eval('select', (element) => element.checkVisibility()), false);

    const values = await (await open()).evaluate(({ options }) => [...options].map(({ value }) => value));
    assert.deepEqual(
      values.sort(),
      [
        'fault',
        ...PHONE_FAULTS.map((fault) => `fault ${fault}`),
        ...ENDINGS.map((ending) => `unlink ${ending}`),
        ...REPORTED_STATES.map((state) => `state ${state}`),
        'passkey',
      ].sort(),
    );
    assert.deepEqual(demo.complaints, []);
  });

  test('can be chosen by keyboard, and are named on the closed line', async () => {
    await start({ state: 'connected' });
    await demo.says('drawer', NUMERO, 'Fallas');
    await (await (await demo.article('drawer', NUMERO)).$('.trouble summary'))?.focus();
    const { keyboard } = demo.page;
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await keyboard.type('Tarda');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await until(() => gateway.phones.get(NUMERO)?.fault === 'slow-delete', 'the phone to be slow');
    await demo.says('drawer', NUMERO, 'Falla: Tarda en eliminarse');
  });

  test('stuck: the phone says so, and is ready once the fault is removed', async () => {
    await start({ state: 'qr' });
    await choose('stuck');
    await demo.press('drawer', NUMERO, 'Escanear el código');
    await demo.says('drawer', NUMERO, 'Vinculando…');
    clock.advance(MOMENT);
    await demo.says('drawer', NUMERO, 'La sesión no pasará de aquí: se quedó a medias');

    await choose(null);
    await demo.says('panel', NUMERO, 'CONNECTED');
    await demo.says('drawer', NUMERO, 'Conectado');
    assert.deepEqual(demo.complaints, []);
  });

  for (const [fault, state, ms, says] of [
    ['stale-code', 'qr', 60_000, 'El código del panel venció y no llega otro'],
    ['restricted', 'connected', 0, 'No puede escribir a números nuevos hasta las'],
    ['zombie', 'connected', 0, 'en unos 10 minutos'],
    ['outdated', 'qr', 0, 'WhatsApp no deja vincular'],
    ['dead-keys', 'connected', MOMENT, 'WhatsApp rechaza sus claves'],
  ] as const) {
    test(`${fault}: the phone says so, until the fault is removed`, async () => {
      await start({ state });
      await choose(fault);
      clock.advance(ms);
      await demo.says('drawer', NUMERO, says);
      await choose(null);
      await demo.falls('drawer', NUMERO, says);
    });
  }

  test('a seed that waits for a code says that none will come', async () => {
    await start({ state: 'waiting' });
    await demo.says('drawer', NUMERO, 'La sesión no pasará de aquí: ningún código llega al panel');
    await demo.press('panel', NUMERO, 'Levantar Sesión');
    await demo.says('drawer', NUMERO, 'El código está por llegar al panel');
  });

  test('slow-delete: the phone stays until the end, or until the fault is removed', async () => {
    await start({ state: 'connected' });
    await choose('slow-delete');
    await demo.press('panel', NUMERO, 'Eliminar Sesión');
    await demo.click('button', 'Eliminar');
    await demo.says('drawer', NUMERO, 'El servidor tarda en eliminar la sesión');
    await demo.says('panel', NUMERO, 'CERRANDO SESIÓN...');

    await apply('fault');
    await demo.gone('drawer', NUMERO);
    await demo.gone('panel', NUMERO);
  });

  test('a reported state is shown on card and phone until the session changes', async () => {
    await start({ state: 'connected' });
    await apply('state CONFLICT');
    await demo.says('panel', NUMERO, 'CONFLICT');
    await demo.says('drawer', NUMERO, 'WhatsApp informa de este estado');
    await demo.press('panel', NUMERO, 'Levantar Sesión');
    await demo.falls('drawer', NUMERO, 'WhatsApp informa de este estado');

    await apply('state HIBERNATING');
    await demo.says('panel', NUMERO, 'HIBERNATING');
    assert.deepEqual(demo.complaints, []);
  });

  test('an impossible report is refused on the phone', async () => {
    await start({ state: 'disconnected' });
    await apply('state CONNECTED');
    await demo.says('drawer', NUMERO, `La sesión de ${NUMERO} no está conectada.`);
  });

  test('a session ends, or waits, for the chosen reason', async () => {
    await start({ state: 'connected' });
    await apply('unlink replaced');
    await demo.says('panel', NUMERO, 'ABIERTA EN OTRO SITIO');
    await demo.says('drawer', NUMERO, 'Vinculado, sin sesión');

    await demo.press('panel', NUMERO, 'Levantar Sesión');
    await demo.says('drawer', NUMERO, 'Conectando…');
    clock.advance(MOMENT);
    await demo.says('drawer', NUMERO, 'Conectado');
    await apply('unlink banned');
    await demo.says('panel', NUMERO, 'WHATSAPP PIDE ESPERAR');
    await demo.says('drawer', NUMERO, 'WhatsApp pide esperar hasta las');
    assert.deepEqual(demo.complaints, []);

    await apply('unlink passkey');
    await demo.says('drawer', NUMERO, `El teléfono ${NUMERO} ya está vinculado.`);
  });

  test('fit a window of 320 px', async () => {
    await start({ state: 'connected', fault: 'stuck' }, 320, 640);
    await demo.click('button', 'Teléfonos simulados');
    const misfits = await (await open()).evaluate((select) => {
      const phone = select.closest('article')?.getBoundingClientRect();
      const boxes = [...(select.closest('details')?.querySelectorAll('summary, select, button') ?? [])].map(
        (control) => control.getBoundingClientRect(),
      );
      return boxes.filter(
        ({ left, right, height }) => !phone || left < phone.left || right > phone.right || height < 44,
      ).length;
    });
    assert.equal(misfits, 0);
    assert.equal(await demo.page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  });
});
