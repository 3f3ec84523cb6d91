import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { WhatsappOperadoresElement } from '../../src/element.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { click } from '../support/input.ts';
import { Panel } from '../support/panel.ts';

const NUMERO = '5491155550001';
const OTHER_NUMERO = '34600111222';

class Renamed extends WhatsappOperadoresElement {}
customElements.define('mi-panel', Renamed);

/** What a page adds to the panel. */
class Extended extends WhatsappOperadoresElement {
  override connectedCallback(): void {
    this.provider = 'Altamar';
    super.connectedCallback();
  }

  override attributeChangedCallback(name: string): void {
    super.attributeChangedCallback(name);
    this.dataset.changed = name;
  }
}
customElements.define('otro-panel', Extended);

let mounted: HTMLElement[] = [];
afterEach(() => {
  for (const element of mounted) element.remove();
  mounted = [];
});

const openGateway = (numero: string) => startGateway({ sessions: [{ numero, state: 'connected' }] });

/** Puts a panel into the page, or into a part of it, and waits for its only card. */
async function show(
  element: HTMLElement,
  gateway: Gateway,
  numero: string,
  place: ParentNode = document.body,
): Promise<Panel> {
  if (!(element instanceof WhatsappOperadoresElement)) throw new Error(`${element.localName} is no panel`);
  mounted.push(element);
  element.apiBase = `${gateway.url}/api`;
  element.socketOrigin = gateway.url;
  place.append(element);
  const panel = new Panel(element);
  await panel.card(numero);
  return panel;
}

describe('the class', () => {
  it('comes without a tag', () => {
    expect(customElements.get('whatsapp-operadores')).to.equal(undefined);
  });

  it('works under any tag: it is live, acts, and dispatches its events', async () => {
    const gateway = await openGateway(NUMERO);
    const panel = await show(document.createElement('mi-panel'), gateway, NUMERO);
    const states: (string | undefined)[] = [];
    panel.element.addEventListener('wo-session-change', ({ detail }) => states.push(detail.state));
    await waitFor(async () => expect(await gateway.handshakes()).to.have.length(1));
    await gateway.push('session:change_state', { numero: NUMERO, state: 'OTRO ESTADO' });
    await waitFor(() => expect(states).to.include('OTRO ESTADO'));
    await click(panel.button('Levantar Sesión'));
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
  });

  it('works under several tags on a page, each with its own server', async () => {
    const one = await show(new Renamed(), await openGateway(NUMERO), NUMERO);
    const other = await show(new Extended(), await openGateway(OTHER_NUMERO), OTHER_NUMERO);
    expect(one.numeros()).to.deep.equal([NUMERO]);
    expect(other.numeros()).to.deep.equal([OTHER_NUMERO]);
  });

  it('can be extended', async () => {
    const panel = await show(new Extended(), await openGateway(NUMERO), NUMERO);
    await waitFor(() => expect(panel.get('contentinfo').textContent).to.include('Altamar'));
    panel.element.view = 'list';
    expect(panel.element.dataset.changed).to.equal('view');
  });

  it('upgrades markup that was in the page before, with the properties that were set', async () => {
    const gateway = await openGateway(NUMERO);
    const properties = {
      provider: 'Altamar',
      labels: { [NUMERO]: { label: 'Ventas del portal' } },
      texts: { 'Sesiones activas': 'Sessões ativas' },
    };
    const early = Object.assign(document.createElement('panel-tardio'), properties);
    document.body.append(early);
    customElements.define('panel-tardio', class extends WhatsappOperadoresElement {});
    const panel = await show(early, gateway, NUMERO);
    await waitFor(() => {
      for (const text of ['Altamar', 'Ventas del portal', 'Sessões ativas'])
        expect(panel.text).to.include(text);
    });
    expect(panel.text).not.to.include('Sesiones activas');
    for (const name of Object.keys(properties)) expect(Object.hasOwn(early, name), name).to.equal(false);
  });

  it('works in a scoped registry, as it is', async function () {
    // Firefox has no scoped registries.
    if (!('initialize' in CustomElementRegistry.prototype)) this.skip();
    const registry = new CustomElementRegistry();
    registry.define('whatsapp-operadores', WhatsappOperadoresElement);
    const host = document.createElement('div');
    mounted.push(host);
    document.body.append(host);
    const root = host.attachShadow({ mode: 'open', customElementRegistry: registry });
    const element = document.createElement('whatsapp-operadores', { customElementRegistry: registry });
    const panel = await show(element, await openGateway(NUMERO), NUMERO, root);
    expect(panel.element.customElementRegistry).to.equal(registry);
    expect(customElements.get('whatsapp-operadores')).to.equal(undefined);
    root.innerHTML = '<whatsapp-operadores></whatsapp-operadores>';
    expect(root.firstElementChild).to.be.instanceOf(WhatsappOperadoresElement);
  });
});
