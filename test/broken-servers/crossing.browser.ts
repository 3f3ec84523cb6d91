import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { startGateway } from '../support/gateway.ts';
import { click, fill, press, type } from '../support/input.ts';
import { mount, mountReady } from '../support/panel.ts';

const NUMERO = '5491155550001';
const connected = { sessions: [{ numero: NUMERO, state: 'connected' as const }] };
const START = { method: 'GET', path: '/api/session/levanta/*' };
const DELETE = { method: 'DELETE', path: '/api/session/*' };
const LIST = { method: 'GET', path: '/api/session/sessions' };

describe('answers that cross', () => {
  it('a start that is asked for during a deletion comes after it, and its session stays', async () => {
    const gateway = await startGateway({ ...connected, speed: 5 });
    const panel = await mountReady(gateway);
    const release = await gateway.hold(DELETE);
    await click(panel.button('Eliminar Sesión'));
    await click(panel.button('Eliminar', await panel.openDialog()));
    await waitFor(async () => expect(await gateway.requests('DELETE')).to.have.length(1));
    await click(panel.button('Levantar Sesión'));
    expect(await gateway.requests('GET', `/api/session/levanta/${NUMERO}`)).to.have.length(0);
    await release();
    await panel.notice(`La sesión de ${NUMERO} ha sido eliminada`);
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    await panel.find('img', `Código QR para vincular ${NUMERO}`);
  });

  it('a start whose session is deleted before it is answered brings nothing back', async () => {
    const gateway = await startGateway(connected);
    const panel = await mountReady(gateway);
    await gateway.answer(START, { json: { numero: NUMERO } });
    const release = await gateway.hold(START);
    await click(panel.button('Levantar Sesión'));
    await click(panel.button('Eliminar Sesión'));
    await click(panel.button('Eliminar', await panel.openDialog()));
    await panel.notice(`La sesión de ${NUMERO} ha sido eliminada`);
    await release();
    await waitFor(
      async () =>
        expect(
          (await gateway.requests()).some(({ path, status }) => path.includes('levanta') && status),
          'the late answer',
        ).to.be.ok,
    );
    expect(panel.numeros()).to.deep.equal([]);
  });

  it('a late answer to a start leaves what a newer list has said', async () => {
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'disconnected' }] });
    const panel = await mountReady(gateway);
    await gateway.answer(START, { json: { numero: NUMERO } });
    const release = await gateway.hold(START);
    await click(panel.button('Levantar Sesión'));
    await gateway.answer(LIST, {
      json: [{ numero: NUMERO, state: 'AUTENTICANDO...', qrCode: '2@from-the-list', waiting: false }],
    });
    await panel.element.refresh();
    await panel.find('img', `Código QR para vincular ${NUMERO}`);
    await release();
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    expect(panel.all('img', `Código QR para vincular ${NUMERO}`)).to.have.length(1);
    expect(panel.all('progressbar', 'Esperando al servidor')).to.have.length(0);
  });

  it('the end of the life before, told while a start is under way, does not stop the spinner', async () => {
    const gateway = await startGateway(connected);
    const panel = await mountReady(gateway);
    await gateway.answer(START, { json: { numero: NUMERO } });
    const release = await gateway.hold(START);
    await click(panel.button('Levantar Sesión'));
    await gateway.push(`session:disconnected:${NUMERO}`);
    await waitFor(() => expect(panel.text).to.include('DESCONECTADO'));
    await release();
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    await panel.find('progressbar', 'Esperando al servidor');
  });

  it('an authenticated push during the first list is told when its session is on it', async () => {
    const gateway = await startGateway(connected);
    const release = await gateway.hold(LIST);
    const panel = await mount(gateway);
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
    await gateway.push(`session:authenticated:${NUMERO}`);
    await gateway.push('session:authenticated:34600000009');
    await release();
    await panel.notice(`Sesión de ${NUMERO} autenticada y lista para usarse`);
    expect(panel.notices()).to.have.length(1);
  });

  it('a late answer to a cancelled addition closes no other dialog', async () => {
    const gateway = await startGateway(connected);
    const panel = await mountReady(gateway);
    const release = await gateway.hold(START);
    await click(panel.button('Agregar una nueva sesión'));
    await panel.openDialog();
    await type('5491155550007');
    await press('Enter');
    await click(panel.button('Cancelar'));
    await click(panel.button('Agregar una nueva sesión'));
    const dialog = await panel.openDialog();
    await type('88888');
    await release();
    await panel.card('5491155550007');
    expect(panel.dialog()).to.equal(dialog);
    expect(panel.textbox('Número de teléfono', dialog).value).to.equal('88888');
  });
});

describe('the deletion of a session that has gone meanwhile', () => {
  it('says that it is deleted, and gives the focus to what is left', async () => {
    const gateway = await startGateway(connected);
    const panel = await mountReady(gateway);
    await click(panel.button('Eliminar Sesión'));
    const dialog = await panel.openDialog();
    await gateway.answer(LIST, { json: [] });
    await panel.element.refresh();
    await waitFor(() => expect(panel.numeros()).to.have.length(0));
    await click(panel.button('Eliminar', dialog));
    await panel.notice(`La sesión de ${NUMERO} ha sido eliminada`);
    expect(await gateway.requests('DELETE')).to.have.length(0);
  });

  it('gives the focus of a card that goes to the heading', async () => {
    const gateway = await startGateway(connected);
    const panel = await mountReady(gateway);
    await click(panel.button('Eliminar Sesión'));
    await click(panel.button('Eliminar', await panel.openDialog()));
    await waitFor(() => expect(panel.numeros()).to.have.length(0));
    expect(panel.focused).to.equal(panel.get('heading', 'Sesiones activas'));
  });
});

describe('keys and clicks that repeat', () => {
  it('a double click on Eliminar Sesión is no confirmation', async () => {
    const gateway = await startGateway(connected);
    const panel = await mountReady(gateway);
    await click(panel.button('Eliminar Sesión'));
    const button = panel.button('Eliminar', await panel.openDialog());
    button.dispatchEvent(
      new MouseEvent('click', { detail: 2, bubbles: true, composed: true, cancelable: true }),
    );
    expect(panel.dialog()).not.to.equal(null);
    expect(await gateway.requests('DELETE')).to.have.length(0);
  });

  it('a held Enter sends once', async () => {
    const gateway = await startGateway(connected);
    const panel = await mountReady(gateway);
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
