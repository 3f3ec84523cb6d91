import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import type { PanelEvent } from '../../src/store/events.ts';
import { startGateway } from '../support/gateway.ts';
import { existing, mount, openPanel, Panel } from '../support/panel.ts';

const NUMERO = '5491155550001';
const connected = { sessions: [{ numero: NUMERO, state: 'connected' as const }] };
const NAMES = ['wo-session-change', 'wo-sessions', 'wo-error', 'wo-connection-change'] as const;

/** The events that bubble out of every panel on the page, in their order. */
function listen(): { name: string; detail: PanelEvent['detail'] }[] {
  const heard: { name: string; detail: PanelEvent['detail'] }[] = [];
  for (const name of NAMES) {
    const record = (event: Event) => {
      if (event instanceof CustomEvent) heard.push({ name, detail: event.detail });
    };
    document.addEventListener(name, record);
    afterThisTest.push(() => document.removeEventListener(name, record));
  }
  return heard;
}

const afterThisTest: (() => void)[] = [];
afterEach(() => {
  for (const task of afterThisTest.splice(0)) task();
});

describe('the events', () => {
  it('tell the list, the connection, and each change of a state with the previous one', async () => {
    const heard = listen();
    const { gateway, panel } = await openPanel(connected);
    expect(heard.filter(({ name }) => name === 'wo-connection-change')).to.deep.equal([
      { name: 'wo-connection-change', detail: { connected: true } },
    ]);
    const lists = heard.filter(({ name }) => name === 'wo-sessions');
    expect(lists[0]?.detail).to.deep.equal({
      sessions: [{ numero: NUMERO, state: 'CONNECTED', waiting: false }],
    });
    const before = heard.length;

    // The gateway has not heard of what is pushed here.
    await gateway.hold({ method: 'GET', path: '/api/session/sessions' });
    await gateway.push('session:change_state', { numero: NUMERO, state: 'OPENING' });
    await gateway.push('session:change_state', { numero: NUMERO, state: 'OPENING' });
    await gateway.push(`session:qr:${NUMERO}`, '2@one');
    await gateway.push(`session:qr:${NUMERO}`, '2@two');
    await gateway.push(`session:disconnected:${NUMERO}`);
    await waitFor(() => expect(panel.text).to.include('DESCONECTADO'));
    expect(heard.slice(before).map(({ detail }) => detail)).to.deep.equal([
      { numero: NUMERO, state: 'OPENING', previousState: 'CONNECTED', asks: 'wait', dropped: true },
      { numero: NUMERO, state: 'AUTENTICANDO...', previousState: 'OPENING', asks: 'scan', dropped: false },
      {
        numero: NUMERO,
        state: 'DESCONECTADO',
        previousState: 'AUTENTICANDO...',
        asks: 'act',
        dropped: false,
      },
    ]);
  });

  it('tell what failed and in which action, through shadow roots', async () => {
    const gateway = await startGateway(connected);
    await gateway.answer({ method: 'GET', path: '/api/session/levanta/*' }, { status: 500 });
    const outer = document.createElement('div');
    document.body.append(outer);
    const element = document.createElement('whatsapp-operadores');
    element.apiBase = `${gateway.url}/api`;
    element.socketOrigin = gateway.url;
    outer.attachShadow({ mode: 'open' }).append(element);
    const heard = listen();
    const panel = new Panel(element);
    await panel.card(NUMERO);
    panel.button('Levantar Sesión').click();
    const failed = await waitFor(() => existing(heard.find(({ name }) => name === 'wo-error')));
    expect(failed.detail).to.have.property('action', 'up');
    expect(failed.detail).to.have.nested.property('error.message', 'Request failed with status code 500');
    expect(failed.detail).to.have.nested.property('error.name', 'RequestError');
    expect(failed.detail).to.have.nested.property('error.status', 500);
    outer.remove();
  });

  it('survive a listener that throws', async () => {
    const { gateway, panel } = await openPanel(connected);
    const { onerror } = window;
    let reported = 0;
    window.onerror = () => {
      reported += 1;
      return true;
    };
    panel.element.addEventListener('wo-session-change', () => {
      throw new Error('of the page');
    });
    await gateway.push('session:change_state', { numero: NUMERO, state: 'OPENING' });
    await waitFor(() => expect(panel.text).to.include('OPENING'));
    window.onerror = onerror;
    expect(reported).to.equal(1);
  });
});

describe('the methods and states', () => {
  it('refresh() loads the list without the overlay, and resolves when it is there', async () => {
    // Otherwise it tells of new sessions by itself.
    const { gateway, panel } = await openPanel({ ...connected, extensions: [] });
    await fetch(`${gateway.url}/api/session/levanta/34600000001`);
    expect(panel.numeros()).to.deep.equal([NUMERO]);
    const done = panel.element.refresh();
    expect(panel.busy).to.equal(false);
    expect(await done).to.equal(undefined);
    await panel.card('34600000001');
  });

  it('refresh() that fails dispatches an event and does not reject', async () => {
    const { gateway, panel } = await openPanel(connected);
    await gateway.answer({ method: 'GET', path: '/api/session/sessions' }, { status: 500 });
    const heard = listen();
    await panel.element.refresh();
    expect(heard.map(({ name }) => name)).to.deep.equal(['wo-error']);
    expect(panel.numeros()).to.deep.equal([NUMERO]);
  });

  it(':state(loading) and :state(offline) match while they apply', async () => {
    const gateway = await startGateway(connected);
    const release = await gateway.hold({ method: 'GET', path: '/api/session/sessions' });
    const { element } = await mount(gateway);
    expect(element.matches(':state(loading)')).to.equal(true);
    await release();
    await waitFor(() => expect(element.matches(':state(loading)')).to.equal(false));
    expect(element.matches(':state(offline)')).to.equal(false);
    await gateway.stop();
    await waitFor(() => expect(element.matches(':state(offline)'), 'the loss to be seen').to.equal(true));
    await gateway.restart(connected);
    await waitFor(() => expect(element.matches(':state(offline)')).to.equal(false));
  });
});

describe('the accessible name', () => {
  const name = (panel: Panel) => panel.get('region', /^Administrador/).getAttribute('aria-label');

  it('tells panels apart by their groups', async () => {
    const { panel } = await openPanel(connected, { group: 'Ventas' });
    expect(name(panel)).to.equal('Administrador de Whatsapp Operadores: Ventas');
  });

  it('has what the page calls the element, whenever it does', async () => {
    const { panel } = await openPanel(connected);
    expect(name(panel)).to.equal('Administrador de Whatsapp Operadores');
    panel.element.setAttribute('aria-label', 'Sucursal Norte');
    await waitFor(() => expect(name(panel)).to.equal('Administrador de Whatsapp Operadores: Sucursal Norte'));
  });
});
