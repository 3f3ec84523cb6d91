import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { consoleErrors } from '../support/console.ts';
import { nextFrame } from '../support/frame.ts';
import { startGateway } from '../support/gateway.ts';
import { mount, mountReady, openPanel, Panel } from '../support/panel.ts';

const here = { sessions: [{ numero: '5491155550001', state: 'connected' as const }] };
const there = { sessions: [{ numero: '34600000001', state: 'connected' as const }] };

describe('attributes and properties', () => {
  it('that change together change the server once', async () => {
    const [first, second] = [await startGateway(here), await startGateway(there)];
    const panel = await mountReady(first);
    const { element } = panel;
    element.setAttribute('api-base', 'http://127.0.0.1:9/wrong');
    element.setAttribute('socket-origin', 'http://127.0.0.1:9');
    element.setAttribute('api-base', `${second.url}/api`);
    element.setAttribute('socket-origin', second.url);
    element.setAttribute('provider', 'Otra');
    await panel.card('34600000001');
    await waitFor(async () => expect(await first.socketCount()).to.equal(0));
    await waitFor(async () => expect(await second.socketCount()).to.equal(1));
    // One at the opening, one with the connection.
    await waitFor(async () => expect(await second.requests('GET')).to.have.length(2));
    expect(panel.numeros()).to.deep.equal(['34600000001']);
    expect(panel.notices()).to.deep.equal([]);
  });

  it('cause no request when they are set to the value that they have', async () => {
    const { gateway, panel } = await openPanel(here);
    const asked = (await gateway.requests()).length;
    panel.element.setAttribute('api-base', panel.element.getAttribute('api-base') ?? '');
    panel.element.setAttribute('provider', 'Nueva');
    await waitFor(() => expect(panel.text).to.include('Nueva'));
    expect(await gateway.requests()).to.have.length(asked);
  });

  it('reflect each other, and a removed attribute restores the default', async () => {
    const gateway = await startGateway(here);
    const { element } = await mountReady(gateway, { 'notification-timeout': null });
    const cases = [
      ['provider', 'provider', 'WhatsApp Operadores', 'Empresa', 'Empresa'],
      ['notification-timeout', 'notificationTimeout', 5000, 0, '0'],
      ['notification-position', 'notificationPosition', 'top-right', 'bottom-left', 'bottom-left'],
      ['credentials', 'credentials', 'same-origin', 'include', 'include'],
      ['socket-path', 'socketPath', '/socket.io/', '/norte/', '/norte/'],
      ['view', 'view', 'cards', 'auto', 'auto'],
      ['order', 'order', undefined, 'server', 'server'],
      ['connection-notice', 'connectionNotice', false, true, ''],
      ['readonly', 'readOnly', false, true, ''],
    ] as const;
    for (const [attribute, property, fallback, value, text] of cases) {
      expect(element[property], property).to.equal(fallback);
      Reflect.set(element, property, value);
      expect(element.getAttribute(attribute)).to.equal(text);
      expect(element[property]).to.equal(value);
      Reflect.set(element, property, null);
      expect(element.hasAttribute(attribute)).to.equal(false);
      expect(element[property]).to.equal(fallback);
      element.setAttribute(attribute, '');
      expect(element[property], property).to.equal(typeof fallback === 'boolean' ? true : fallback);
    }
    element.removeAttribute('api-base');
    element.removeAttribute('socket-origin');
    expect(element.apiBase).to.equal('/api');
    expect(element.socketOrigin).to.equal(location.origin);
  });

  it('that are boolean are on when they are present, whatever they say', async () => {
    const element = document.createElement('whatsapp-operadores');
    element.setAttribute('readonly', 'false');
    expect(element.readOnly).to.equal(true);
    for (const [value, present] of [
      [false, false],
      [1, true],
      ['', false],
      ['no', true],
      [undefined, false],
    ] as const) {
      Reflect.set(element, 'readOnly', value);
      expect(element.getAttribute('readonly'), String(value)).to.equal(present ? '' : null);
    }
  });

  it('of one session have the digits of its number, and without any are still set', () => {
    const logged = consoleErrors();
    const element = document.createElement('whatsapp-operadores');
    for (const [text, numero] of [
      [null, undefined],
      ['+52 1 555 000-1111', '5215550001111'],
      ['ventas', ''],
      ['', ''],
      [undefined, undefined],
    ] as const) {
      element.numero = text;
      expect(element.getAttribute('numero')).to.equal(text ?? null);
      expect(element.numero).to.equal(numero);
    }
    expect(logged()).to.deep.equal([]);
  });

  it('that are invalid are logged, and the default is used', async () => {
    const gateway = await startGateway(here);
    const { element } = await mountReady(gateway);
    const logged = consoleErrors();
    for (const [attribute, value] of [
      ['notification-timeout', '-1'],
      ['notification-timeout', '1.5'],
      ['notification-timeout', 'pronto'],
      ['notification-position', 'arriba'],
      ['credentials', 'always'],
      ['socket-origin', 'http://'],
      ['socket-origin', 'localhost:8080'],
      ['socket-origin', `http://${'a'.repeat(8000)}`],
    ] as const) {
      const before = logged().length;
      element.setAttribute(attribute, value);
      expect(logged().slice(before).join()).to.include(`${attribute}="${value}"`);
    }
    await nextFrame();
    expect(element.notificationTimeout).to.equal(5000);
    expect(element.notificationPosition).to.equal('top-right');
    expect(element.credentials).to.equal('same-origin');
    expect(element.socketOrigin).to.equal(location.origin);
  });

  it('of a Socket.IO path reach the server, and another path joins anew', async () => {
    const gateway = await startGateway(here);
    const panel = await mount(gateway, { 'socket-path': '/norte/socket.io/' });
    await panel.card('5491155550001');
    await waitFor(async () => {
      const paths = (await gateway.requests()).map(({ path }) => path);
      expect(paths.some((path) => path.startsWith('/norte/socket.io/'))).to.equal(true);
    });
    expect(await gateway.handshakes()).to.deep.equal([]);
    panel.element.socketPath = '/socket.io/';
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
  });

  it('of an origin with a path are logged, and the origin is used', async () => {
    const gateway = await startGateway(here);
    const logged = consoleErrors();
    const panel = await mount(gateway, { 'socket-origin': `${gateway.url}/norte` });
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
    expect(logged()).to.deep.equal([
      `whatsapp-operadores: socket-origin="${gateway.url}/norte" is not valid; socket-path is for its path`,
    ]);
    panel.element.socketOrigin = `${gateway.url}/`;
    panel.element.socketOrigin = gateway.url;
    expect(logged()).to.have.length(1);
  });

  const UNREADABLE: readonly [what: string, property: PropertyDescriptor][] = [
    ['no text', { value: Object.create(null) }],
    [
      'an accessor that throws',
      {
        get() {
          throw new Error('not now');
        },
      },
    ],
  ];
  for (const [what, property] of UNREADABLE) {
    it(`that cannot be read when the element is connected are logged, and it works: ${what}`, async () => {
      const gateway = await startGateway(here);
      const logged = consoleErrors();
      const element = document.createElement('whatsapp-operadores');
      Object.defineProperty(element, 'group', { ...property, configurable: true });
      element.apiBase = `${gateway.url}/api`;
      element.socketOrigin = gateway.url;
      document.body.append(element);
      await new Panel(element).card('5491155550001');
      expect(logged().join()).to.include('group');
    });
  }
});
