import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { WhatsappOperadoresElement } from '../../src/index.ts';
import { consoleErrors } from '../support/console.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { click, fill, press, type } from '../support/input.ts';
import { existing, mount, mountReady, openPanel, Panel } from '../support/panel.ts';

const NUMERO = '5491155550001';
const connected = { sessions: [{ numero: NUMERO, state: 'connected' as const }] };

const lists = async (gateway: Gateway) => (await gateway.requests('GET', '/api/session/sessions')).length;
const noSockets = (gateway: Gateway) => waitFor(async () => expect(await gateway.socketCount()).to.equal(0));

describe('a panel before it is connected', () => {
  it('does nothing, whatever is set', async () => {
    const gateway = await startGateway(connected);
    const element = document.createElement('whatsapp-operadores');
    element.apiBase = `${gateway.url}/api`;
    element.setAttribute('socket-origin', gateway.url);
    element.setAttribute('provider', 'Empresa');
    await element.refresh();
    expect(element.shadowRoot?.childElementCount).to.equal(0);
    expect(await gateway.requests()).to.have.length(0);
    document.body.append(element);
    await new Panel(element).card(NUMERO);
  });

  it('takes properties that were set before the tag was defined', async () => {
    const gateway = await startGateway(connected);
    const elsewhere = document.implementation.createHTMLDocument();
    const element = elsewhere.createElement('whatsapp-operadores');
    Object.assign(element, { apiBase: `${gateway.url}/api`, socketOrigin: gateway.url, provider: 'Antes' });
    document.body.append(element);
    const panel = new Panel(element);
    await panel.card(NUMERO);
    expect(panel.text).to.include('Antes');
    expect(element.getAttribute('provider')).to.equal('Antes');
    expect(Object.keys(element)).not.to.include('provider');
  });
});

describe('a panel that joins its server', () => {
  it('requests the list before it opens the socket', async () => {
    const gateway = await startGateway(connected);
    await mountReady(gateway);
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
    const requested = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.startsWith(gateway.url) && /sessions$|socket\.io/.test(name))
      .sort((one, other) => one.startTime - other.startTime);
    expect(requested[0]?.name).to.match(/sessions$/);
    expect(requested.some(({ name }) => name.includes('socket.io'))).to.equal(true);
  });
});

describe('a panel that is moved', () => {
  const moves: Record<string, (element: HTMLElement, target: HTMLElement) => void> = {
    append: (element, target) => target.append(element),
    insertBefore: (element, target) => target.insertBefore(element, target.firstChild),
    moveBefore: (element, target) => target.moveBefore(element, target.firstChild),
  };

  for (const [method, move] of Object.entries(moves)) {
    it(`keeps its typed text, its socket and its list: ${method}`, async function () {
      if (!(method in document.body)) this.skip();
      const { gateway, panel } = await openPanel(connected);
      const card = await panel.card(NUMERO);
      await fill(panel.textbox('Mensaje de Prueba'), 'sin terminar');
      const asked = await lists(gateway);
      const target = document.createElement('main');
      target.append(document.createElement('p'));
      document.body.append(target);
      move(panel.element, target);
      await gateway.push('session:change_state', { numero: NUMERO, state: 'OPENING' });
      await waitFor(() => expect(card.textContent).to.include('OPENING'));
      expect(await panel.card(NUMERO)).to.equal(card);
      expect(panel.textbox('Mensaje de Prueba').value).to.equal('sin terminar');
      expect(await gateway.socketCount()).to.equal(1);
      expect(await lists(gateway)).to.equal(asked);
      target.remove();
    });

    it(`keeps an open dialog modal, and a notice on the screen: ${method}`, async function () {
      if (!(method in document.body)) this.skip();
      const { panel } = await openPanel(connected, { 'notification-timeout': '0' });
      await click(panel.button('Levantar Sesión'));
      const notice = await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
      const dialog = await panel.openAddDialog();
      await type('54911');
      const target = document.createElement('div');
      document.body.append(target);
      move(panel.element, target);
      await waitFor(() => expect(dialog.matches(':modal'), 'the dialog to be modal').to.equal(true));
      expect(panel.textbox('Número de teléfono', dialog).value).to.equal('54911');
      await waitFor(() => {
        expect(notice.isConnected).to.be.ok;
        expect(notice.checkVisibility()).to.equal(true);
      });
      await press('Escape', 'Escape', 'Escape');
      expect(panel.dialog()).to.equal(dialog);
      target.remove();
    });
  }
});

describe('a panel that is removed', () => {
  it('leaves no socket, node or notice, and put back it works', async () => {
    const { gateway, panel } = await openPanel(connected, { 'notification-timeout': '0' });
    await click(panel.button('Levantar Sesión'));
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    panel.element.remove();
    await noSockets(gateway);
    expect(panel.root.childElementCount).to.equal(0);
    document.body.append(panel.element);
    await panel.card(NUMERO);
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
    expect(panel.notices()).to.deep.equal([]);
    await panel.hears(gateway, NUMERO);
  });

  it('during an action lets that end without a notice', async () => {
    const { gateway, panel } = await openPanel(connected);
    const release = await gateway.hold({ method: 'DELETE', path: '/api/session/*' });
    await panel.deleteSession();
    await waitFor(async () => expect(await gateway.requests('DELETE')).to.have.length(1));
    panel.element.remove();
    await release();
    await noSockets(gateway);
    await waitFor(async () => {
      const answer = await fetch(`${gateway.url}/api/session/sessions`);
      expect(await answer.text()).to.equal('[]');
    });
  });

  it('at once opens no socket', async () => {
    const gateway = await startGateway(connected);
    const panel = await mount(gateway);
    panel.element.remove();
    // Its socket would have come before this one's.
    await mountReady(await startGateway(connected));
    expect(await gateway.handshakes()).to.deep.equal([]);
    expect(panel.root.childElementCount).to.equal(0);
  });
});

describe('a panel in another document', () => {
  it('a clone is a panel of its own', async () => {
    const { gateway, panel } = await openPanel(connected, { provider: 'Original' });
    const clone = panel.element.cloneNode(true);
    if (!(clone instanceof WhatsappOperadoresElement)) throw new Error('the clone is no panel');
    document.body.append(clone);
    const second = new Panel(clone);
    await second.card(NUMERO);
    expect(second.text).to.include('Original');
    // Otherwise the socket counted below could be the first panel's.
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(2));
    panel.element.remove();
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
    await second.hears(gateway, NUMERO);
  });

  it('adopted into an iframe keeps its look, and works', async () => {
    const { gateway, panel } = await openPanel(connected);
    const header = panel.root.querySelector('[part=header]');
    const colour = header && getComputedStyle(header).backgroundColor;
    const frame = await addFrame();
    const inside = frame.contentDocument;
    inside?.body.append(panel.element);
    const adopted = panel.root.querySelector('[part=header]');
    expect(adopted && inside?.defaultView?.getComputedStyle(adopted).backgroundColor).to.equal(colour);
    await gateway.push('session:change_state', { numero: NUMERO, state: 'OPENING' });
    await waitFor(() => expect(panel.text).to.include('OPENING'));
    panel.button('Agregar una nueva sesión').click();
    await waitFor(() => expect(panel.dialog()?.matches(':modal'), 'a dialog in the iframe').to.equal(true));
    frame.remove();
  });

  it('adopted into an iframe changes the cards on the screen before those off it', async () => {
    const { gateway, panel } = await openPanel();
    const frame = await addFrame();
    frame.contentDocument?.body.append(panel.element);
    const numeros = Array.from({ length: 40 }, (_, index) => String(5491155550000 + index));
    const json = numeros.map((numero) => ({ numero, state: 'CONNECTED', waiting: false }));
    await gateway.answer({ method: 'GET', path: '/api/session/sessions' }, { json });
    await panel.element.refresh();
    const cardOf = (numero = '') =>
      waitFor(() => existing(panel.root.querySelector(`[data-numero="${numero}"]`)));
    const [near, far] = [await cardOf(numeros[0]), await cardOf(numeros.at(-1))];
    let state = '';
    let isFarFirst: boolean | undefined;
    new MutationObserver(() => {
      isFarFirst ??= far.textContent?.includes(state);
    }).observe(near, { subtree: true, characterData: true });
    let pushes = 0;
    await waitFor(async () => {
      pushes += 1;
      state = `ESTADO ${pushes}.`;
      isFarFirst = undefined;
      const changes = [numeros.at(-1), numeros[0]].map((numero) => ({ numero, state }));
      await gateway.pushAll(changes.map((change) => ['session:change_state', change]));
      for (const card of [far, near]) await waitFor(() => expect(card.textContent).to.include(state));
      expect(isFarFirst, 'the card on the screen to change first').to.equal(false);
    });
    frame.remove();
  });

  it('in an iframe leaves the focus to the page around it, though a dialog is open', async () => {
    const { gateway, panel } = await openPanel(connected);
    const frame = await addFrame();
    const field = document.createElement('input');
    document.body.append(field);
    frame.contentDocument?.body.append(panel.element);
    panel.button(`Historial de ${NUMERO}`).click();
    const dialog = await panel.openDialog();
    // As in a frame that was inert.
    dialog.querySelector<HTMLElement>(':focus')?.blur();
    field.focus();
    await gateway.push('session:change_state', { numero: NUMERO, state: 'OPENING' });
    await waitFor(() => expect(dialog.textContent).to.include('OPENING'));
    expect(document.activeElement).to.equal(field);
    frame.remove();
    field.remove();
  });

  it('removed with its iframe leaves no socket, and put back it works', async () => {
    const gateway = await startGateway(connected);
    const panel = await mount(gateway);
    const frame = await addFrame();
    frame.contentDocument?.body.append(panel.element);
    await panel.card(NUMERO);
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
    frame.remove();
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(0));
    document.body.append(panel.element);
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
    await panel.card(NUMERO);
  });
});

/** An iframe whose document stays: Firefox puts another in place of the first one when it has loaded. */
async function addFrame(): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'width: 800px; height: 600px';
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  return frame;
}

describe('a panel that fails to render', () => {
  /** Breaks what a part of the screen needs, by which the page may have replaced a built-in. */
  async function failing(name: 'getFullYear' | 'toISOString', fail: () => Promise<unknown>): Promise<void> {
    consoleErrors();
    const { [name]: working } = Date.prototype;
    Object.defineProperty(Date.prototype, name, {
      configurable: true,
      writable: true,
      value() {
        throw new Error('broken');
      },
    });
    try {
      await fail();
    } finally {
      Object.defineProperty(Date.prototype, name, { configurable: true, writable: true, value: working });
    }
  }

  async function crashed(options: Parameters<typeof openPanel>[0] = connected) {
    const { gateway, panel } = await openPanel(options);
    await failing('getFullYear', async () => {
      panel.element.provider = 'Una';
      await waitFor(() => expect(panel.text).to.include('El panel tuvo un error inesperado.'));
    });
    return { gateway, panel };
  }

  it('tries again with another server', async () => {
    const { panel } = await crashed();
    const other = await startGateway({ sessions: [{ numero: '34600000001', state: 'connected' }] });
    panel.element.apiBase = `${other.url}/api`;
    panel.element.socketOrigin = other.url;
    await panel.card('34600000001');
  });

  it('then shows all notices that came meanwhile, in order', async () => {
    const numeros = ['5491155550001', '5491155550002', '5491155550003'];
    const sessions = numeros.map((numero) => ({ numero, state: 'connected' as const }));
    const { gateway, panel } = await crashed({ sessions });
    for (const numero of numeros) await gateway.push(`session:authenticated:${numero}`);
    await click(panel.button('Reintentar'));
    // The newest is at the top.
    await waitFor(() =>
      expect(panel.notices()).to.deep.equal(
        numeros.toReversed().map((numero) => `Sesión de ${numero} autenticada y lista para usarse`),
      ),
    );
  });
});
