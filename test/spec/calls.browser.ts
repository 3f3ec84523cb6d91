import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { consoleErrors } from '../support/console.ts';
import { startGateway } from '../support/gateway.ts';
import { click, fill } from '../support/input.ts';
import { mountReady, openPanel } from '../support/panel.ts';

const NUMERO = '5215550001111';
const TO = '5215550002222';
const LIST = { method: 'GET', path: '/api/session/sessions' };

describe('the calls', () => {
  it('repeat the list on each connection, without the overlay or a notice', async () => {
    const { gateway, panel } = await openPanel({ sessions: [{ numero: '1', state: 'connected' }] });
    const before = await gateway.requests(LIST.method, LIST.path);
    const overlays: Node[] = [];
    const watcher = new MutationObserver(() =>
      overlays.push(...panel.root.querySelectorAll('[aria-busy="true"]')),
    );
    watcher.observe(panel.root, { subtree: true, attributes: true, childList: true });
    await gateway.restart({ sessions: [{ numero: '2', state: 'connected' }] });
    await waitFor(() => expect(panel.numeros().join()).to.equal('2'));
    expect(await gateway.requests(LIST.method, LIST.path)).to.have.length(before.length + 1);
    watcher.disconnect();
    expect(overlays).to.deep.equal([]);
    expect(panel.notices()).to.deep.equal([]);
  });

  it('for a start always reach the server, also after an answer with max-age', async () => {
    const start = { method: 'GET', path: `/api/session/levanta/${NUMERO}` };
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'disconnected' }] });
    // Replaces the gateway's own header, which forbids caching.
    await gateway.answer(start, { headers: { 'cache-control': 'max-age=3600' }, json: { numero: NUMERO } });
    const panel = await mountReady(gateway);
    for (let starts = 1; starts <= 3; starts += 1) {
      const button = panel.button('Levantar Sesión');
      await waitFor(() => expect(button.ariaDisabled).not.to.equal('true'));
      await click(button);
      await waitFor(async () => expect(await gateway.requests('GET', start.path)).to.have.length(starts));
    }
  });

  it('for the list always reach the server, also after a 410 with max-age', async () => {
    consoleErrors();
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    await gateway.answer(LIST, { status: 410, headers: { 'cache-control': 'max-age=3600' } });
    const panel = await mountReady(gateway);
    const retry = await panel.find('button', 'Reintentar');
    // The panel asks again by itself too, and the button would be gone.
    const json = [{ numero: NUMERO, state: 'CONNECTED', waiting: false }];
    const release = await gateway.hold(LIST, { json });
    await click(retry);
    await release();
    await panel.card(NUMERO);
    expect(panel.text).not.to.include('No se pudo cargar');
  });

  it('for a test message that fail give a red notice and keep both fields', async () => {
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    await gateway.answer({ method: 'POST', path: '/api/message', times: 1 }, { status: 502 });
    const panel = await mountReady(gateway);
    const [text, number] = [panel.textbox('Mensaje de Prueba'), panel.textbox('Número')];
    await fill(text, 'Hola');
    await fill(number, TO);
    await click(panel.button('Enviar Mensaje'));
    const notice = await panel.notice('Request failed with status code 502');
    expect(notice.getAttribute('role')).to.equal('alert');
    expect([text.value, number.value]).to.deep.equal(['Hola', TO]);
    await click(panel.button('Enviar Mensaje'));
    await panel.notice(`Mensaje enviado a ${TO}`);
  });
});
