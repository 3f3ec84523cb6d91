import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import type { Gateway } from '../support/gateway.ts';
import { openPanel, type Panel } from '../support/panel.ts';
import { turnPage } from '../support/turn-page.ts';

const numero = '5491155550001';
const LIST = ['GET', '/api/session/sessions'] as const;

describe('where WebSockets are not let through', () => {
  let gateway: Gateway;
  let panel: Panel;
  let heard: string[];

  before(async () => {
    const { WebSocket } = window;
    // The script takes it when it is loaded.
    Reflect.deleteProperty(window, 'WebSocket');
    await import('../../src/index.ts');
    window.WebSocket = WebSocket;
  });

  beforeEach(async () => {
    ({ gateway, panel } = await openPanel({ sessions: [{ numero, state: 'connected' }] }));
    heard = [];
    for (const event of ['wo-connection-change', 'wo-error'])
      panel.element.addEventListener(event, ({ type }) => heard.push(type));
  });

  const lists = async () => (await gateway.requests(...LIST)).length;
  const shows = (state: string) => waitFor(() => expect(panel.text).to.include(state));

  /** What was neither reported to the page nor shown as a failure. */
  function expectNoFailure(): void {
    expect(heard).to.deep.equal([]);
    expect(panel.element.matches(':state(offline)')).to.equal(false);
    expect(panel.notices()).to.deep.equal([]);
  }

  it('a hidden page leaves after a minute, without a word, and is back once it is visible', async () => {
    const page = turnPage('hidden');
    page.passMinute();
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(0));
    await gateway.phone(numero).logOut();
    const before = await lists();
    expectNoFailure();
    page.turn('visible');
    await shows('DESCONECTADO');
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
    expect(await lists()).to.be.above(before);
    expectNoFailure();
  });

  it('a page that was hidden for less than a minute has never left', async () => {
    const page = turnPage('hidden');
    page.turn('visible');
    page.passMinute();
    await gateway.push('session:change_state', { numero, state: 'OPENING' });
    await shows('OPENING');
    expect(await gateway.handshakes()).to.have.length(1);
  });

  for (const [event, restore] of [
    ['pageshow', () => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))],
    ['resume', () => document.dispatchEvent(new Event('resume'))],
  ] as const)
    it(`a page that comes back with ${event} connects anew, and asks for the list`, async () => {
      const before = await lists();
      await gateway.phone(numero).logOut();
      restore();
      await waitFor(async () => expect(await gateway.handshakes()).to.have.length(2));
      await waitFor(async () => expect(await lists()).to.be.above(before));
      await shows('DESCONECTADO');
      await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
      expectNoFailure();
    });
});
