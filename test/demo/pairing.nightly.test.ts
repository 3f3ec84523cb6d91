import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ElementHandle } from 'puppeteer-core';
import type { Seed } from '../../gateway/src/engines/simulated/seeds.ts';
import type { Gateway } from '../../gateway/src/gateway.ts';
import type { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { type DemoPage, inBrowser, openDemo, VISIBLE } from './demo-page.ts';

const NUMERO = '5215550001111';
const FRIEND = '34600111222';
/** Longer than from a scan to ready. */
const MOMENT = 2_000;

describe('the owner of a simulated phone', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let demo: DemoPage;

  const browser = inBrowser(() => ({ demo, gateway }));

  async function start(width?: number, height?: number): Promise<void> {
    const sessions: Seed[] = [
      { numero: NUMERO, state: 'qr' },
      { numero: FRIEND, state: 'connected' },
    ];
    ({ clock, gateway, demo } = await openDemo(browser(), { sessions, width, height }));
    await demo.page.waitForSelector('#phones-toggle', VISIBLE);
  }

  /** Opens the field for a code by keyboard, and moves on into it. */
  async function openField(): Promise<ElementHandle<Element>> {
    const phone = await demo.article('drawer', NUMERO);
    await (await phone.waitForSelector('.pairing summary', VISIBLE))?.focus();
    await demo.page.keyboard.press('Enter');
    await demo.page.keyboard.press('Tab');
    return demo.byRole('textbox', 'Código de ocho caracteres');
  }
  const focused = () =>
    demo.page.evaluate(() => {
      const { activeElement: element } = document;
      return element instanceof HTMLInputElement ? element.value : element?.textContent;
    });

  test('links it with a code, by keyboard', async () => {
    await start();
    await demo.isLive();
    const { code } = await gateway.phones.pair(NUMERO);
    const { keyboard } = demo.page;
    await openField();
    await keyboard.type('abcd-1234');
    await keyboard.press('Enter');
    await demo.says('drawer', NUMERO, 'Ese código no es correcto');
    // The typed text stays, to be corrected, and is selected, to be typed anew.
    await demo.page.waitForFunction(
      () => document.activeElement instanceof HTMLInputElement && document.activeElement.selectionEnd === 9,
    );
    assert.equal(await focused(), 'abcd-1234');

    await keyboard.type(`${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase());
    await keyboard.press('Enter');
    await demo.says('drawer', NUMERO, 'Vinculando…');
    await demo.says('panel', NUMERO, 'El teléfono se está vinculando');
    await demo.falls('drawer', NUMERO, 'Código de ocho caracteres');
    assert.match(`${await focused()}`, new RegExp(`^\\s*${NUMERO}\\s+Vinculando…`));
    clock.advance(MOMENT);
    await demo.says('panel', NUMERO, 'CONNECTED');
    assert.deepEqual(
      demo.complaints.filter((text) => !text.includes('409')),
      [],
    );
  });

  test('and the operator see the same: a code that is typed, a message that is read', async () => {
    await start();
    await demo.isLive();
    const { keyboard } = demo.page;
    await (await demo.byRole('button', `Ampliar el código QR de ${NUMERO}`)).focus();
    await keyboard.press('Enter');
    await (await demo.byRole('button', 'Escribir un código')).focus();
    await keyboard.press('Enter');
    await demo.page.waitForSelector('whatsapp-operadores >>> .code-to-type [role="timer"]', VISIBLE);
    const shown = await demo.page.$('whatsapp-operadores >>> .pairing-code');
    const code = (await shown?.evaluate(({ textContent }) => textContent)) ?? '';
    assert.match(code, /^.{4}-.{4}$/);
    await keyboard.press('Escape');

    await openField();
    await keyboard.type(code);
    await keyboard.press('Enter');
    await demo.says('drawer', NUMERO, 'Vinculando…');
    clock.advance(MOMENT);
    await demo.says('panel', NUMERO, 'CONNECTED');

    const [message, number] = await (await demo.article('panel', NUMERO)).$$('input');
    await message?.type('Hola');
    await number?.type(FRIEND);
    await demo.press('panel', NUMERO, 'Enviar Mensaje');
    await demo.says('panel', NUMERO, 'Entregado');
    await demo.press('drawer', FRIEND, 'Leer');
    await demo.says('panel', NUMERO, 'Leído');
    assert.deepEqual(demo.complaints, []);
  });

  test('has a field for the code that fits a window of 320 px', async () => {
    await start(320, 640);
    await demo.click('button', 'Teléfonos simulados');
    const field = await openField();
    const [outside, overflow] = await field.evaluate((input) => {
      const phone = input.closest('article')?.getBoundingClientRect();
      const boxes = [...(input.closest('form')?.querySelectorAll('input, button') ?? [])].map((control) =>
        control.getBoundingClientRect(),
      );
      const misfits = boxes.filter(
        ({ left, right, height }) => !phone || left < phone.left || right > phone.right || height < 44,
      );
      return [misfits.length, document.documentElement.scrollWidth - innerWidth] as const;
    });
    assert.deepEqual([outside, overflow], [0, 0]);
  });

  test('reads its messages, and the sender learns it', async () => {
    await start();
    await demo.isLive();
    const acks: string[] = [];
    await gateway.phones.send(FRIEND, NUMERO, 'Hola', (ack) => acks.push(ack));
    await demo.says('drawer', NUMERO, 'Hola');
    await demo.press('drawer', NUMERO, 'Leer');
    await demo.says('drawer', NUMERO, 'Leído');
    await demo.falls('drawer', NUMERO, 'Leer');
    assert.deepEqual(acks, ['device', 'read']);
    assert.deepEqual(demo.complaints, []);
  });
});
