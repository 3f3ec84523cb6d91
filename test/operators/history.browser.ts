import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { jumpAhead } from '../support/browser-clock.ts';
import { holdClipboard, pasted } from '../support/clipboard.ts';
import { consoleErrors } from '../support/console.ts';
import type { Gateway } from '../support/gateway.ts';
import { chord, click, press } from '../support/input.ts';
import { openPanel, type Panel } from '../support/panel.ts';
import { resize } from '../support/viewport.ts';

const NUMERO = '5491155550001';
const TIME = /^\d{2}:\d{2}:\d{2}$/;

describe('the history of a session', () => {
  let gateway: Gateway;
  let panel: Panel;
  let dialog: HTMLDialogElement;

  beforeEach(async () => {
    ({ gateway, panel } = await openPanel(
      { extensions: [], sessions: [{ numero: NUMERO, state: 'connected' }] },
      { 'notification-timeout': '0' },
    ));
  });

  const clock = () => panel.button(`Historial de ${NUMERO}`);

  async function open() {
    await click(clock());
    dialog = await panel.openDialog();
  }

  const items = () => panel.all('listitem', undefined, dialog);
  const sentences = () =>
    items().map((item) => item.querySelector('time')?.nextElementSibling?.textContent ?? '');
  const times = () => items().map((item) => item.querySelector('time')?.textContent ?? '');
  const push = (state: string) => gateway.push('session:change_state', { numero: NUMERO, state });
  const toRead = (sentence: string) => waitFor(() => expect(sentences()[0]).to.equal(sentence));

  it('opens from its card, closes by Escape and Cerrar, and restores the focus', async () => {
    const ways = [() => press('Escape'), () => click(panel.button('Cerrar', dialog))];
    for (const close of ways) {
      clock().focus();
      await press('Enter');
      dialog = await panel.openDialog();
      expect(panel.get('dialog', `Historial de ${NUMERO}`)).to.equal(dialog);
      await close();
      await waitFor(() => expect(panel.dialog()).to.equal(null));
      expect(panel.focused).to.equal(clock());
    }
  });

  it('begins with the state from the list, at the exact time, and says since when', async () => {
    await open();
    expect(dialog.textContent).to.include('Los últimos 50 sucesos desde que abriste esta página');
    expect(sentences()).to.deep.equal(['Al abrir la página: CONNECTED']);
    expect(times()[0]).to.match(TIME);
    const moment = Date.parse(items()[0]?.querySelector('time')?.dateTime ?? '');
    expect(Math.abs(Date.now() - moment)).to.be.below(60_000);
  });

  it('keeps the elements of earlier events when another comes', async () => {
    await push('OPENING');
    await push('TIMEOUT');
    await open();
    await waitFor(() => expect(items()).to.have.length(3));
    const before = items();
    await push('PAIRING');
    await toRead('Nuevo estado: PAIRING');
    expect(items().slice(1)).to.deep.equal(before);
  });

  it('scrolls in the dialog, by keyboard too', async () => {
    await resize(panel, 500, 400);
    for (let index = 1; index <= 30; index += 1) await push(`S${index}`);
    await open();
    await toRead('Nuevo estado: S30');
    const list = panel.get('list', undefined, dialog);
    expect(list.scrollHeight).to.be.above(list.clientHeight);
    expect(dialog.scrollHeight).to.be.at.most(dialog.clientHeight);
    expect(panel.focused).to.equal(list);
    await press('End');
    await waitFor(() => expect(list.scrollTop).to.be.above(0));
    const buttons = panel.button('Cerrar', dialog).getBoundingClientRect();
    expect(buttons.bottom).to.be.at.most(innerHeight);
  });

  it('stands below headings for its days, with times of two digits', async () => {
    const { day, year } = today();
    jumpAhead(24 * 60 * 60 * 1000);
    for (const state of ['OPENING', 'TIMEOUT']) await push(state);
    await open();
    await toRead('Nuevo estado: TIMEOUT');
    const days = () => panel.all('heading', undefined, dialog).map(({ textContent }) => textContent);
    expect(days()).to.deep.equal([`Historial de ${NUMERO}`, 'hoy', 'ayer']);
    for (const time of times()) expect(time).to.match(TIME);
    jumpAhead(24 * 60 * 60 * 1000);
    await push('PAIRING');
    await toRead('Nuevo estado: PAIRING');
    expect(days().slice(1, 3)).to.deep.equal(['hoy', 'ayer']);
    expect(days()[3]).to.match(new RegExp(`^\\p{L}+, ${day} de \\p{L}+ de ${year}$`, 'u'));
  });

  it('says when its session goes while it is open', async () => {
    const errors = consoleErrors();
    await open();
    await gateway.restart({ extensions: [], sessions: 0 });
    await panel.element.refresh();
    await waitFor(() => expect(dialog.textContent).to.include('Esta sesión ya no está en la lista'));
    expect(panel.button('Copiar', dialog).disabled).to.equal(true);
    expect(errors().filter((line) => !line.startsWith('whatsapp-operadores:'))).to.deep.equal([]);
    await click(panel.button('Cerrar', dialog));
    await waitFor(() => expect(panel.focused?.matches('h2'), 'the focus above the cards').to.equal(true));
  });

  describe('as text', () => {
    const clipboard = Object.getOwnPropertyDescriptor(Navigator.prototype, 'clipboard');
    beforeEach(holdClipboard);
    afterEach(() => {
      if (clipboard) Object.defineProperty(Navigator.prototype, 'clipboard', clipboard);
    });

    /** The lines that were copied, once the dialog is closed. */
    async function copied(): Promise<string[]> {
      await press('Escape');
      await waitFor(() => expect(panel.dialog()).to.equal(null));
      return (await pasted()).split('\n');
    }

    async function expectCopy() {
      await push('OPENING');
      await open();
      await toRead('Nuevo estado: OPENING');
      const told = () => panel.all('status', undefined, dialog).map(({ textContent }) => textContent);
      expect(told()).not.to.include('Copiado');
      await click(panel.button('Copiar', dialog));
      await waitFor(() => expect(told()).to.include('Copiado'));
      expect(panel.focused).to.equal(panel.button('Copiar', dialog));
      const [first, ...lines] = await copied();
      const { year } = today();
      expect(first).to.equal(NUMERO);
      expect(lines).to.have.length(2);
      expect(lines[0]).to.match(
        new RegExp(`^\\d+ \\p{L}+\\.? ${year}, \\d{2}:\\d{2}:\\d{2} – Nuevo estado: OPENING$`, 'u'),
      );
      expect(lines[1]).to.match(/ – Al abrir la página: CONNECTED$/);
    }

    it('can be copied, with dates', expectCopy);

    it('can be copied where pages have no clipboard, as with plain HTTP', async () => {
      Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined, configurable: true });
      await expectCopy();
    });

    it('is selected where the browser does not copy', async () => {
      Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined, configurable: true });
      document.execCommand = () => false;
      try {
        await open();
        await click(panel.button('Copiar', dialog));
        await waitFor(() =>
          expect(dialog.textContent).to.include('Está seleccionado: cópialo con el teclado'),
        );
      } finally {
        Reflect.deleteProperty(document, 'execCommand');
      }
      await chord('Control', 'c');
      expect((await copied()).join(' ')).to.include('Al abrir la página: CONNECTED');
    });
  });
});

/** Today's date in the panel's Spanish format; `month` is a pattern. */
function today() {
  const now = new Date();
  const months = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sept?', 'oct', 'nov', 'dic'];
  return { year: now.getFullYear(), month: months[now.getMonth()], day: now.getDate() };
}
