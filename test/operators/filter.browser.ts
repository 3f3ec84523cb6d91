import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { nextFrame } from '../support/frame.ts';
import type { Gateway } from '../support/gateway.ts';
import { gatherTimers } from '../support/gathered-timers.ts';
import { click, fill, hover, press, type } from '../support/input.ts';
import { openPanel, type Panel } from '../support/panel.ts';

const numeroOf = (index: number) => String(5491155550000 + index);
const SOME = 12;
/** The sessions of sixty that are DESCONECTADO. */
const DOWN = [7, 20, 33, 46, 59].map(numeroOf);

function sessions(count: number, down: readonly string[] = []) {
  return Array.from({ length: count }, (_, index) => {
    const numero = numeroOf(index);
    return { numero, state: down.includes(numero) ? ('disconnected' as const) : ('connected' as const) };
  });
}

const search = (panel: Panel) => panel.get('searchbox', 'Buscar') as HTMLInputElement;
const order = (panel: Panel) => panel.get('combobox', 'Orden') as HTMLSelectElement;
const find = (panel: Panel, text: string) => fill(search(panel), text);

/** Chooses an option by script: the mouse cannot reach the list of options in every browser. */
function choose(select: HTMLSelectElement, option: string): void {
  select.value = [...select.options].find(({ label }) => label === option)?.value ?? '';
  select.dispatchEvent(new Event('change', { bubbles: true }));
}
const URGENT_FIRST = 'Por urgencia';

/** Whether changes of at most sixty sessions by attention are collected for so long: the list's timer, not that of the counts. */
const isBatch = (ms: number) => ms > 250 && ms <= 310;

let passBatch: () => number;

/** Pushes states, and has the visible list computed again after each. */
async function storm(gateway: Gateway, panel: Panel, numero: string): Promise<void> {
  passBatch();
  for (const state of ['OPENING', 'TIMEOUT', 'PAIRING']) {
    await gateway.push('session:change_state', { numero, state });
    await waitFor(() => expect(panel.text).to.include(state));
    expect(passBatch(), 'computations').to.be.above(0);
    await nextFrame();
  }
}

describe('the filter', () => {
  // Before the panel begins its first one: what is pushed while one waits begins none.
  beforeEach(() => {
    passBatch = gatherTimers(isBatch);
  });

  describe('of many sessions', () => {
    let gateway: Gateway;
    let panel: Panel;
    beforeEach(async () => {
      ({ gateway, panel } = await openPanel({ sessions: sessions(SOME, [numeroOf(5)]) }));
    });

    it('filters by status, with counts', async () => {
      expect(panel.text).to.include('11 de 12 conectadas');
      expect(panel.button('Todas 12').getAttribute('aria-pressed')).to.equal('true');
      expect(panel.button('En espera 0')).to.exist;
      await click(panel.button('Requiere atención 1'));
      await panel.lists([numeroOf(5)]);
      expect(panel.button('Requiere atención 1').getAttribute('aria-pressed')).to.equal('true');
      // A session that begins to match is added.
      await gateway.push('session:change_state', { numero: numeroOf(9), state: 'CONFLICT' });
      await panel.lists([numeroOf(5), numeroOf(9)]);
      await click(await panel.find('button', 'Requieren atención 2'));
      await waitFor(() => expect(panel.numeros()).to.have.length(SOME));
      await click(panel.button('Requieren atención 2'));
      await click(panel.button('Todas 12'));
      await waitFor(() => expect(panel.numeros()).to.have.length(SOME));
    });

    it('says when nothing matches, and can be cleared there', async () => {
      await click(panel.button('Requiere atención 1'));
      await find(panel, 'nadie');
      await waitFor(() => expect(panel.text).to.include('Ninguna sesión coincide con lo que buscas.'));
      await panel.lists([]);
      await click(panel.button('Mostrar todas'));
      await waitFor(() => expect(panel.numeros()).to.have.length(SOME));
      expect(panel.focused).to.equal(panel.get('heading', 'Sesiones activas'));
      expect(search(panel).value).to.equal('');
      expect(panel.button('Todas 12').getAttribute('aria-pressed')).to.equal('true');
    });

    it('keeps what was typed in cards that are not shown', async () => {
      const field = panel.textbox('Mensaje de Prueba', await panel.card(numeroOf(4)));
      await fill(field, 'a medio escribir');
      await find(panel, numeroOf(8));
      await waitFor(() => expect(panel.numeros()).to.have.length(1));
      await find(panel, '');
      await waitFor(() => expect(field.checkVisibility(), 'the field').to.equal(true));
      expect(field.value).to.equal('a medio escribir');
      expect(field.isConnected).to.equal(true);
    });

    it('announces politely how many match, and shows a session that is added, whether it does or not', async () => {
      const told = () => panel.all('status').map(({ textContent }) => textContent?.trim());
      await find(panel, 'DESCONECTADO');
      await waitFor(() => expect(told()).to.include(`1 de ${SOME} sesiones`));
      await waitFor(() => expect(panel.numeros()).to.have.length(1));
      await panel.openAddDialog();
      await type('34600000001');
      await press('Enter');
      const added = await panel.card('34600000001');
      await waitFor(() => {
        const { top, bottom } = added.getBoundingClientRect();
        expect(top).to.be.below(innerHeight / 2);
        expect(bottom).to.be.above(innerHeight / 2);
      });
      expect(panel.numeros()).to.deep.equal([numeroOf(5), '34600000001']);
    });

    it('works by keyboard', async () => {
      panel.button('Todas 12').focus();
      await press('Tab', ' ');
      expect(panel.button('Requiere atención 1').getAttribute('aria-pressed')).to.equal('true');
      await press('Tab', 'Tab', 'Tab');
      expect(panel.focused).to.equal(search(panel));
      await type('0005');
      await waitFor(() => expect(panel.numeros()).to.have.length(1));
      expect(panel.numeros()).to.deep.equal([numeroOf(5)]);
    });
  });

  describe('of sixty sessions with five DESCONECTADO', () => {
    let gateway: Gateway;
    let panel: Panel;
    beforeEach(async () => {
      ({ gateway, panel } = await openPanel({ sessions: sessions(60, DOWN) }));
      await click(panel.button('Requieren atención 5'));
      choose(order(panel), URGENT_FIRST);
      await waitFor(() => expect(panel.numeros()).to.have.length(DOWN.length));
      expect(panel.numeros()).to.have.members(DOWN);
    });

    it('moves no card while the pointer is on one', async () => {
      const card = await panel.card(numeroOf(20));
      await hover(card);
      await waitFor(() => expect(card.matches(':hover'), 'the pointer to be on it').to.equal(true));
      const before = panel.numeros();
      const { top } = card.getBoundingClientRect();
      await gateway.push(`session:ready:${numeroOf(7)}`);
      await gateway.push(`session:ready:${numeroOf(20)}`);
      await gateway.push('session:change_state', { numero: numeroOf(0), state: 'CONFLICT' });
      await panel.find('button', 'Requieren atención 4');
      await storm(gateway, panel, numeroOf(1));
      expect(panel.numeros()).to.deep.equal(before);
      expect(card.getBoundingClientRect().top).to.equal(top);
      await hover(panel.get('heading', 'Administrador de Whatsapp Operadores'));
      const now = [numeroOf(0), ...before.filter((numero) => ![7, 20].map(numeroOf).includes(numero))];
      await waitFor(() => expect(panel.numeros().join()).to.equal(now.join()));
    });

    it('moves no card while a finger is on one', async () => {
      await hover(panel.get('heading', 'Administrador de Whatsapp Operadores'));
      const card = await panel.card(numeroOf(20));
      const before = panel.numeros();
      const touch = { bubbles: true, composed: true, pointerType: 'touch' };
      card.dispatchEvent(new PointerEvent('pointerdown', touch));
      await gateway.push(`session:ready:${numeroOf(7)}`);
      await panel.find('button', 'Requieren atención 4');
      await storm(gateway, panel, numeroOf(1));
      expect(panel.numeros()).to.deep.equal(before);
      card.dispatchEvent(new PointerEvent('pointerup', touch));
      await waitFor(() => expect(panel.numeros()).not.to.include(numeroOf(7)));
    });

    it('moves cards again once a press that began on one has ended elsewhere', async () => {
      await hover(panel.get('heading', 'Administrador de Whatsapp Operadores'));
      const card = await panel.card(numeroOf(20));
      card.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
      document.body.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
      await gateway.push(`session:ready:${numeroOf(7)}`);
      await waitFor(() => expect(panel.numeros()).not.to.include(numeroOf(7)));
    });

    it('moves no card while one has the focus, and keeps what is typed', async () => {
      const field = panel.textbox('Mensaje de Prueba', await panel.card(numeroOf(33)));
      await fill(field, 'hola');
      const before = panel.numeros();
      await hover(panel.get('heading', 'Administrador de Whatsapp Operadores'));
      await gateway.push(`session:ready:${numeroOf(33)}`);
      await storm(gateway, panel, numeroOf(1));
      await type(' otra vez');
      expect(panel.numeros()).to.deep.equal(before);
      expect(panel.focused).to.equal(field);
      search(panel).focus();
      await waitFor(() => expect(panel.numeros()).not.to.include(numeroOf(33)));
      expect(field.value).to.equal('hola otra vez');
    });

    it('leaves the card of an open dialog where it is', async () => {
      const card = await panel.card(numeroOf(20));
      await click(panel.button('Eliminar Sesión', card));
      await panel.openDialog();
      await gateway.push(`session:ready:${numeroOf(20)}`);
      await storm(gateway, panel, numeroOf(1));
      await press('Escape');
      await click(panel.button('Cancelar'));
      expect(panel.numeros()).to.include(numeroOf(20));
      expect(panel.focused).to.equal(panel.button('Eliminar Sesión', card));
    });
  });

  it('draws a code that was off the screen when its card matches', async () => {
    const { panel } = await openPanel({
      sessions: [...sessions(40), { numero: '34600000002', state: 'qr' }],
    });
    await find(panel, '34600000002');
    await panel.find('img', /QR/);
    await find(panel, '');
    await find(panel, 'autenticando');
    await panel.find('img', /QR/);
  });

  it('draws a code that came while its card was not shown', async () => {
    const { gateway, panel } = await openPanel({ sessions: sessions(SOME) });
    const card = await panel.card(numeroOf(0));
    await find(panel, numeroOf(9));
    await waitFor(() => expect(card.checkVisibility()).to.equal(false));
    await gateway.push(`session:qr:${numeroOf(0)}`, '2@un,código,nuevo');
    await waitFor(() => expect(card.textContent).to.include('AUTENTICANDO'));
    await find(panel, '');
    await panel.find('img', /QR/, card);
  });
});
