import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { click, doubleClick, fill, press, type } from '../support/input.ts';
import { openPanel } from '../support/panel.ts';

const NUMERO = '5491155550001';
const connected = { sessions: [{ numero: NUMERO, state: 'connected' as const }] };
const START = { method: 'GET', path: '/api/session/levanta/*' };

describe('crossing answers', () => {
  it('a late answer to a cancelled addition closes no other dialog', async () => {
    const { gateway, panel } = await openPanel(connected);
    const release = await gateway.hold(START);
    await panel.openAddDialog();
    await type('5491155550007');
    await press('Enter');
    await click(panel.button('Cancelar'));
    const dialog = await panel.openAddDialog();
    await type('88888');
    await release();
    // It comes with the answer, and the card may come before.
    await panel.notice('La sesión de 5491155550007 comenzará a levantarse');
    expect(panel.dialog()).to.equal(dialog);
    expect(panel.textbox('Número de teléfono', dialog).value).to.equal('88888');
  });

  it('the focus of a card that is deleted goes to the heading', async () => {
    const { panel } = await openPanel(connected);
    await panel.deleteSession();
    await waitFor(() => expect(panel.numeros()).to.have.length(0));
    expect(panel.focused).to.equal(panel.get('heading', 'Sesiones activas'));
  });
});

describe('repeated keys and clicks', () => {
  it('a double click on any button acts once', async () => {
    const { gateway, panel } = await openPanel(connected);
    const releaseUp = await gateway.hold(START);
    await doubleClick(panel.button('Levantar Sesión'));
    await releaseUp();
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    expect(await gateway.requests('GET', `/api/session/levanta/${NUMERO}`)).to.have.length(1);

    // While the session starts, its card grows and shrinks, and moves what is clicked.
    await waitFor(() => expect(panel.text).to.include('CONNECTED'));
    await fill(panel.textbox('Mensaje de Prueba'), 'hola');
    await fill(panel.textbox('Número'), '5491155550002');
    const release = await gateway.hold({ method: 'POST', path: '/api/message' });
    await doubleClick(panel.button('Enviar Mensaje'));
    await release();
    await panel.notice('Mensaje enviado a 5491155550002');
    expect(await gateway.requests('POST')).to.have.length(1);

    await doubleClick(panel.button('Eliminar Sesión'));
    const dialog = await panel.openDialog();
    expect(panel.all('dialog')).to.have.length(1);
    await doubleClick(panel.button('Eliminar', dialog));
    await panel.notice(`La sesión de ${NUMERO} ha sido eliminada`);
    expect(await gateway.requests('DELETE')).to.have.length(1);

    await doubleClick(panel.button('Agregar una nueva sesión'));
    await fill(panel.textbox('Número de teléfono', await panel.openDialog()), '5491155550009');
    const releaseStart = await gateway.hold(START);
    await doubleClick(panel.button('Agregar', await panel.openDialog()));
    await releaseStart();
    await panel.card('5491155550009');
    expect(await gateway.requests('GET', '/api/session/levanta/5491155550009')).to.have.length(1);
  });

  it('a double click acts once, also when the server answers between its clicks', async () => {
    const { gateway, panel } = await openPanel(connected);
    await fill(panel.textbox('Mensaje de Prueba'), 'hola');
    await fill(panel.textbox('Número'), '5491155550002');
    const button = panel.button('Enviar Mensaje');
    button.dispatchEvent(new MouseEvent('click', { detail: 1, bubbles: true, cancelable: true }));
    await panel.notice('Mensaje enviado a 5491155550002');
    button.dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true, cancelable: true }));
    await gateway.push('session:change_state', { numero: NUMERO, state: 'OPENING' });
    await waitFor(() => expect(panel.text).to.include('OPENING'));
    expect(await gateway.requests('POST')).to.have.length(1);
  });

  it('a double click on Eliminar Sesión does not confirm', async () => {
    const { gateway, panel } = await openPanel(connected);
    await click(panel.button('Eliminar Sesión'));
    const button = panel.button('Eliminar', await panel.openDialog());
    button.dispatchEvent(
      new MouseEvent('click', { detail: 2, bubbles: true, composed: true, cancelable: true }),
    );
    expect(panel.dialog()).not.to.equal(null);
    expect(await gateway.requests('DELETE')).to.have.length(0);
  });

  it('a held Enter sends once', async () => {
    const { gateway, panel } = await openPanel(connected);
    await fill(panel.textbox('Mensaje de Prueba'), 'hola');
    await fill(panel.textbox('Número'), '(+52) 555‑000 1111');
    await press('Enter');
    await panel.notice('Mensaje enviado a 525550001111');
    const held = new KeyboardEvent('keydown', {
      key: 'Enter',
      repeat: true,
      bubbles: true,
      composed: true,
      cancelable: true,
    });
    expect(panel.textbox('Número').dispatchEvent(held)).to.equal(false);
    expect(await gateway.requests('POST')).to.have.length(1);
  });
});
