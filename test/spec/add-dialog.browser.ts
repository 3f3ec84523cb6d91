import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { consoleErrors } from '../support/console.ts';
import type { Gateway } from '../support/gateway.ts';
import { click, clickAt, press, type } from '../support/input.ts';
import { openPanel, type Panel } from '../support/panel.ts';

const NUMERO = '5215550001111';

describe('the dialog that adds a session', () => {
  let gateway: Gateway;
  let panel: Panel;
  let dialog: HTMLDialogElement;
  let input: HTMLInputElement;

  beforeEach(async () => {
    ({ gateway, panel } = await openPanel({ sessions: 0 }));
    dialog = await panel.openAddDialog();
    input = panel.textbox(/teléfono/, dialog);
  });

  it('is modal, with its title and its message', () => {
    expect(dialog.matches(':modal')).to.equal(true);
    expect(panel.get('dialog', 'Número de teléfono')).to.equal(dialog);
    expect(dialog.textContent).to.include('Ingresa el número de teléfono (sin espacios ni guiones)');
    panel.button('Cancelar', dialog);
    panel.button('Agregar', dialog);
  });

  it('asks for a telephone number of at most 13 characters, and has the focus there', async () => {
    expect(input.type).to.equal('tel');
    expect(panel.focused).to.equal(input);
    await type('12345678901234567');
    expect(input.value).to.equal('1234567890123');
  });

  it('enables Agregar from 10 characters of any kind on', async () => {
    await type('abc-56789');
    expect(panel.button('Agregar', dialog).disabled).to.equal(true);
    await type('0');
    expect(panel.button('Agregar', dialog).disabled).to.equal(false);
    await press('Backspace');
    expect(panel.button('Agregar', dialog).disabled).to.equal(true);
  });

  it('does not add by Enter below 10 characters', async () => {
    await type('123456789');
    await press('Enter');
    expect(dialog.open).to.equal(true);
    expect(await startsOf(gateway)).to.deep.equal([]);
  });

  it('stays open however often Escape is pressed', async () => {
    await type('555');
    for (let presses = 1; presses <= 6; presses += 1) {
      await press('Escape');
      expect(dialog.open, `after ${presses}`).to.equal(true);
    }
    expect(input.value).to.equal('555');
  });

  it('stays open when something outside is clicked', async () => {
    await clickAt(5, 5);
    await clickAt(innerWidth - 5, innerHeight - 5);
    expect(panel.dialog()).to.equal(dialog);
  });

  it('keeps the focus inside on Tab', async () => {
    await type(NUMERO);
    const visited = new Set([panel.focused]);
    for (let presses = 0; presses < 8; presses += 1) {
      await press('Tab');
      visited.add(panel.focused);
    }
    // The dialog itself may get the focus, and in Firefox the browser's own controls.
    visited.delete(null);
    visited.delete(dialog);
    expect([...visited].every((element) => dialog.contains(element))).to.equal(true);
    expect(visited.size).to.equal(3);
  });

  it('adds by Enter, says so, and gives the focus to the new card', async () => {
    await type(NUMERO);
    await press('Enter');
    const card = await panel.card(NUMERO);
    expect(card.textContent).to.include('AUTENTICANDO...');
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    await waitFor(() => expect(panel.focused).to.equal(card.querySelector('h3')));
    expect(await startsOf(gateway)).to.deep.equal([`/api/session/levanta/${NUMERO}`]);
  });

  it('adds nothing on Cancelar, and restores the focus', async () => {
    await type(NUMERO);
    await click(panel.button('Cancelar', dialog));
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    expect(panel.focused).to.equal(panel.button('Agregar una nueva sesión'));
    expect(await startsOf(gateway)).to.deep.equal([]);
  });

  it('is empty each time it opens', async () => {
    await type(NUMERO);
    await click(panel.button('Cancelar', dialog));
    await click(panel.button('Agregar una nueva sesión'));
    expect(panel.textbox(/teléfono/, await panel.openDialog()).value).to.equal('');
  });

  it('stays open with what was typed when the server refuses, with a red notice and a log entry', async () => {
    const logged = consoleErrors();
    await gateway.answer({ method: 'GET', path: '/api/session/levanta/*', times: 1 }, { status: 503 });
    await type(NUMERO);
    await press('Enter');
    const notice = await panel.notice('Request failed with status code 503');
    expect(notice.getAttribute('role')).to.equal('alert');
    expect(logged().join()).to.include('Request failed with status code 503');
    expect(dialog.open).to.equal(true);
    expect(input.value).to.equal(NUMERO);
    expect(panel.numeros()).to.deep.equal([]);
    await waitFor(() => expect(panel.button('Agregar', dialog).ariaDisabled).not.to.equal('true'));
    await press('Enter');
    await panel.card(NUMERO);
  });
});

async function startsOf(gateway: Gateway): Promise<string[]> {
  const gets = await gateway.requests('GET');
  return gets.map(({ path }) => path).filter((path) => path.includes('/levanta/'));
}
