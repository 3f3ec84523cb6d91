import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { startGateway } from '../support/gateway.ts';
import { click, doubleClick, fill } from '../support/input.ts';
import { mountReady } from '../support/panel.ts';

const NUMERO = '5491155550001';
const START = { method: 'GET', path: '/api/session/levanta/*' };
const DELETE = { method: 'DELETE', path: '/api/session/*' };
const SEND = { method: 'POST', path: '/api/message' };

const connected = { sessions: [{ numero: NUMERO, state: 'connected' as const }] };

describe('an action that fails', () => {
  it('start: a red notice, and the card stays as it was', async () => {
    const gateway = await startGateway(connected);
    const panel = await mountReady(gateway);
    await gateway.cut(START);
    await click(panel.button('Levantar Sesión'));
    await panel.notice('Network Error');
    expect((await panel.card(NUMERO)).textContent).to.include('CONNECTED');
  });

  it('delete: a red notice, and the card says again what the server last said', async () => {
    const gateway = await startGateway(connected);
    const panel = await mountReady(gateway);
    await gateway.answer(DELETE, { status: 500 });
    const release = await gateway.hold({ ...DELETE, times: 1 });
    await click(panel.button('Eliminar Sesión'));
    await click(panel.button('Eliminar', await panel.openDialog()));
    const card = await panel.card(NUMERO);
    await waitFor(() => expect(card.textContent).to.include('CERRANDO SESIÓN...'));
    expect(panel.all('progressbar', undefined, card)).to.have.length(1);
    await gateway.push('session:change_state', { numero: NUMERO, state: 'UNPAIRED' });
    await release();
    const notice = await panel.notice('Request failed with status code 500');
    expect(notice.getAttribute('role')).to.equal('alert');
    await waitFor(() => expect(card.textContent).to.include('UNPAIRED'));
    expect(card.textContent).not.to.include('CERRANDO');
    expect(panel.all('progressbar', undefined, card)).to.have.length(0);
  });

  it('delete answered by a sign-in page: not deleted', async () => {
    const gateway = await startGateway(connected);
    const panel = await mountReady(gateway);
    await gateway.answer(DELETE, { headers: { 'content-type': 'text/html' }, body: '<html>Entrar</html>' });
    await click(panel.button('Eliminar Sesión'));
    await click(panel.button('Eliminar', await panel.openDialog()));
    await waitFor(
      () =>
        expect(
          panel.notices().some((text) => text.includes('iniciar sesión')),
          'the reason',
        ).to.be.ok,
    );
    expect(panel.numeros()).to.deep.equal([NUMERO]);
  });
});

describe('a double click', () => {
  it('on any button does once what it does', async () => {
    const gateway = await startGateway(connected);
    const panel = await mountReady(gateway);
    const releaseUp = await gateway.hold(START);
    await doubleClick(panel.button('Levantar Sesión'));
    await releaseUp();
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    expect(await gateway.requests('GET', `/api/session/levanta/${NUMERO}`)).to.have.length(1);

    await fill(panel.textbox('Mensaje de Prueba'), 'hola');
    await fill(panel.textbox('Número'), '5491155550002');
    await waitFor(() => expect(panel.text).to.include('CONNECTED'));
    const release = await gateway.hold(SEND);
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

  it('is one click even where the server answers between its two halves', async () => {
    const gateway = await startGateway(connected);
    const panel = await mountReady(gateway);
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
});
