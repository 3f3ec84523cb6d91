import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import type { WhatsappOperadoresElement } from '../../src/index.ts';
import { consoleErrors } from '../support/console.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { existing, mount, mountReady, Panel } from '../support/panel.ts';

const LIST = { method: 'GET', path: '/api/session/sessions' };
const numeroOf = (index: number) => String(5215550000000 + index);

const start = (count: number, token?: string) =>
  startGateway({
    ...(token && { token }),
    sessions: Array.from({ length: count }, (_, index) => ({
      numero: numeroOf(index),
      state: 'connected' as const,
    })),
  });

/**
 * Mounts an element for each of the first sessions, and waits until all show what is known of theirs, and the list has been asked
 * for at the opening and with the connection.
 */
async function mountEach(gateway: Gateway, count: number): Promise<Panel[]> {
  const panels = await Promise.all(
    Array.from({ length: count }, (_, index) => mount(gateway, { numero: numeroOf(index) })),
  );
  for (const panel of panels) await named(panel);
  await waitFor(async () => expect(await lists(gateway)).to.have.length(2));
  return panels;
}

/** Waits until it shows the name of its session, which comes with the list, once the server has announced such names. */
const named = (panel: Panel) => panel.find('heading', /^\p{L}.* \d+$/u);

/** Adds one with a token. */
function add(gateway: Gateway, numero: string, token: WhatsappOperadoresElement['token']): Panel {
  const element = document.createElement('whatsapp-operadores');
  Object.assign(element, { apiBase: `${gateway.url}/api`, socketOrigin: gateway.url, numero, token });
  document.body.append(element);
  return new Panel(element);
}

const lists = (gateway: Gateway) => gateway.requests(LIST.method, LIST.path);
const sockets = (gateway: Gateway, count: number) =>
  waitFor(async () => expect(await gateway.socketCount()).to.equal(count));

describe('the elements of one session each, on one server', () => {
  it('have one socket, and ask for the list once each time that it is loaded', async () => {
    const gateway = await start(20);
    const panels = await mountEach(gateway, 20);
    expect(await gateway.handshakes()).to.have.length(1);
    expect(panels.map((panel) => panel.numeros())).to.deep.equal(panels.map((_, index) => [numeroOf(index)]));
    const loaded = new Set<number>();
    for (const [index, { element }] of panels.entries())
      element.addEventListener('wo-sessions', () => loaded.add(index));
    await panels[7]?.element.refresh();
    await waitFor(() => expect(loaded.size, 'the elements that have the answer').to.equal(20));
    expect(await lists(gateway)).to.have.length(3);
    loaded.clear();
    await gateway.disconnectSockets();
    await waitFor(() => expect(loaded.size, 'the elements that have what they missed').to.equal(20));
    expect(await lists(gateway)).to.have.length(4);
    expect(await gateway.handshakes()).to.have.length(2);
  });

  it('are joined by one that comes later, which has all that was announced', async () => {
    const gateway = await start(3);
    await mountEach(gateway, 2);
    const panel = await mount(gateway, { numero: numeroOf(2) });
    await named(panel);
    await panel.find('button', `Más acciones de ${numeroOf(2)}`);
    expect(await gateway.handshakes()).to.have.length(1);
    expect(await lists(gateway)).to.have.length(3);
  });

  it('leave it to the last one, and no socket after that', async () => {
    const gateway = await start(20);
    const panels = await mountEach(gateway, 20);
    const last = existing(panels[7]);
    for (const panel of panels) if (panel !== last) panel.element.remove();
    await last.hears(gateway, numeroOf(7));
    expect(await gateway.handshakes()).to.have.length(1);
    last.element.remove();
    await sockets(gateway, 0);
  });

  it('show another session of it without another socket', async () => {
    const gateway = await start(3);
    const [panel] = await mountEach(gateway, 2);
    existing(panel).element.numero = numeroOf(2);
    await existing(panel).lists([numeroOf(2)]);
    expect(await gateway.handshakes()).to.have.length(1);
  });

  it('share it with those of the same token only', async () => {
    const gateway = await start(3);
    const panels = ['de Ana', 'de Eva', 'de Ana'].map((token, index) => add(gateway, numeroOf(index), token));
    for (const panel of panels) await named(panel);
    const tokens = (await gateway.handshakes()).map(({ auth }) => auth.token);
    expect(tokens.toSorted()).to.deep.equal(['de Ana', 'de Eva']);
    expect(await gateway.socketCount()).to.equal(2);
  });

  it('leave those without a token when they get one, whose answers are not for the others', async () => {
    consoleErrors();
    const token = 'de-eva-y-de-nadie-mas-que-de-eva';
    const gateway = await start(2, token);
    const panels = [0, 1].map((index) => add(gateway, numeroOf(index), undefined));
    for (const panel of panels) await panel.find('button', 'Reintentar');
    const [first, second] = panels;
    existing(second).element.token = token;
    await named(existing(second));
    await sockets(gateway, 1);
    existing(first).button('Reintentar');
    // Those that were let in: at the opening of the connection that it has now, and with that connection.
    await waitFor(async () => expect(await lists(gateway)).to.have.length.at.least(2));
    expect(await lists(gateway)).to.have.length(2);
  });

  it('share none with a panel of all beside them', async () => {
    const gateway = await start(3);
    const panels = await mountEach(gateway, 2);
    const all = await mountReady(gateway);
    expect(all.numeros()).to.deep.equal([0, 1, 2].map(numeroOf));
    expect(await gateway.socketCount()).to.equal(2);
    for (const { element } of panels) element.remove();
    await sockets(gateway, 1);
    await all.hears(gateway, numeroOf(2));
  });
});
