import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { startGateway } from '../support/gateway.ts';
import { click } from '../support/input.ts';
import { mountReady } from '../support/panel.ts';

const LIST = { method: 'GET', path: '/api/session/sessions' };

describe('the calls (spec §7)', () => {
  it('are only the list until something is asked for: once at the opening, and once the pushes come', async () => {
    const gateway = await startGateway({ sessions: 3 });
    await mountReady(gateway);
    const calls = await gateway.requests();
    const list = `${LIST.method} ${LIST.path}`;
    expect(calls.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([list, list]);
  });

  it('keep a numero one segment of the path, whatever is in it (design §3)', async () => {
    const odd = '../a b/ñ?x#y';
    const gateway = await startGateway({ sessions: 0 });
    await gateway.answer(LIST, { json: [{ numero: odd, state: 'DESCONECTADO', waiting: false }] });
    await gateway.answer({ method: 'GET', path: '/api/session/levanta/*' }, { json: { numero: odd } });
    const panel = await mountReady(gateway);
    await click(panel.button('Levantar Sesión'));
    await panel.notice(`La sesión de ${odd} comenzará a levantarse`);
    expect(await gateway.requests('GET', `/api/session/levanta/${encodeURIComponent(odd)}`)).to.have.length(
      1,
    );
  });

  it('ask for the list anew at each connection, without the overlay or a notice (design §3)', async () => {
    const gateway = await startGateway({ sessions: [{ numero: '1', state: 'connected' }] });
    const panel = await mountReady(gateway);
    const overlays: Node[] = [];
    const watcher = new MutationObserver(() =>
      overlays.push(...panel.root.querySelectorAll('[aria-busy="true"]')),
    );
    watcher.observe(panel.root, { subtree: true, attributes: true, childList: true });
    await gateway.restart({ sessions: [{ numero: '2', state: 'connected' }] });
    await waitFor(() => expect(panel.numeros().join()).to.equal('2'));
    expect(await gateway.requests(LIST.method, LIST.path)).to.have.length(3);
    watcher.disconnect();
    expect(overlays).to.deep.equal([]);
    expect(panel.notices()).to.deep.equal([]);
  });
});
