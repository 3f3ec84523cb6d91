import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { startGateway } from '../support/gateway.ts';
import { click } from '../support/input.ts';
import { mountReady, openPanel } from '../support/panel.ts';

const NUMERO = '5491155550001';
const connected = { sessions: [{ numero: NUMERO, state: 'connected' as const }] };
const LIST = { method: 'GET', path: '/api/session/sessions' };
const START = { method: 'GET', path: '/api/session/levanta/*' };
const FAILED = 'Request failed with status code 500';

describe('a notice', () => {
  it('of a failure that comes again is shown again after it was closed', async () => {
    const { gateway, panel } = await openPanel(connected, { 'notification-timeout': '0' });
    await gateway.answer(LIST, { status: 500 });
    for (let round = 0; round < 3; round += 1) {
      await panel.element.refresh();
      const notice = await panel.notice(FAILED);
      await click(panel.button('Cerrar', notice));
      await waitFor(() => expect(panel.notices()).to.have.length(0));
    }
    await click(panel.button('Levantar Sesión'));
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    expect(panel.notices()).to.have.length(1);
  });

  it('of one server goes when the panel changes to another', async () => {
    const [first, second] = [await startGateway(connected), await startGateway(connected)];
    const panel = await mountReady(first, { 'notification-timeout': '0' });
    await click(panel.button('Levantar Sesión'));
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    await click(panel.button('Eliminar Sesión'));
    await panel.openDialog();
    await second.answer(START, { status: 500 });
    panel.element.apiBase = `${second.url}/api`;
    panel.element.socketOrigin = second.url;
    await waitFor(async () => expect(await second.socketCount()).to.equal(1));
    await panel.card(NUMERO);
    // What the server announces adds to the card, and moves its buttons.
    await panel.find('button', `Más acciones de ${NUMERO}`);
    expect(panel.notices()).to.deep.equal([]);
    expect(panel.dialog()).to.equal(null);
    await click(panel.button('Levantar Sesión'));
    const notice = await panel.notice(FAILED);
    expect(notice.getAttribute('role')).to.equal('alert');
  });

  it('is on the screen where there are more than it can hold', async () => {
    const numeros = [NUMERO, ...Array.from({ length: 20 }, (_, index) => String(5491155551000 + index))];
    const sessions = numeros.map((numero) => ({ numero, state: 'connected' as const }));
    const { gateway, panel } = await openPanel({ sessions }, { 'notification-timeout': '0' });
    for (const numero of numeros) await gateway.push(`session:authenticated:${numero}`);
    await waitFor(() => expect(panel.notices()).to.have.length(21));
    await click(panel.button('Levantar Sesión', await panel.card(NUMERO)));
    const last = await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    const { top, bottom } = last.getBoundingClientRect();
    expect(top).to.be.at.least(0);
    expect(bottom).to.be.at.most(innerHeight);
  });

  it('of a failure shows HTML from the server as text', async () => {
    const { gateway, panel } = await openPanel(connected);
    const message = '<img src="x" onerror="alert(1)"><b>Lo siento</b>';
    await gateway.answer(START, { status: 500, json: { message } });
    await click(panel.button('Levantar Sesión'));
    const notice = await panel.notice(`${FAILED}: ${message}`);
    expect(notice.querySelector('img, b')).to.equal(null);
  });
});

describe('an answer of the previous server', () => {
  it('is ignored', async () => {
    const [first, second] = [
      await startGateway(connected),
      await startGateway({ sessions: [{ numero: '34600000001', state: 'connected' }] }),
    ];
    const panel = await mountReady(first);
    const release = await first.hold(START);
    await click(panel.button('Levantar Sesión'));
    const starts = () => first.requests('GET', `/api/session/levanta/${NUMERO}`);
    await waitFor(async () => expect(await starts()).to.have.length(1));
    panel.element.apiBase = `${second.url}/api`;
    panel.element.socketOrigin = second.url;
    await panel.card('34600000001');
    await waitFor(async () => expect(await second.socketCount()).to.equal(1));
    const heard: string[] = [];
    panel.element.addEventListener('wo-session-change', ({ detail }) => heard.push(detail.numero));
    await release();
    await waitFor(async () => expect(await starts()).to.have.nested.property('[0].status'));
    await second.push('session:change_state', { numero: '34600000001', state: 'OPENING' });
    await waitFor(() => expect(panel.text).to.include('OPENING'));
    expect(heard).to.deep.equal(['34600000001']);
    expect(panel.element.matches(':state(loading)')).to.equal(false);
    expect(panel.notices()).to.deep.equal([]);
  });
});
