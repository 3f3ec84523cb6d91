import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import type { PanelEventDetails } from '../../src/events.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { click } from '../support/input.ts';
import { mountReady, type Panel } from '../support/panel.ts';

const NUMERO = '5491155550001';

describe('a session that was CONNECTED and falls', () => {
  let gateway: Gateway;
  let panel: Panel;
  let card: HTMLElement;
  const changes: PanelEventDetails['wo-session-change'][] = [];

  beforeEach(async () => {
    gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    panel = await mountReady(gateway);
    card = await panel.card(NUMERO);
    changes.length = 0;
    panel.element.addEventListener('wo-session-change', ({ detail }) => changes.push(detail));
  });
  const mark = () => card.textContent.match(/Se cayó a las \d\d:\d\d/)?.[0];

  it('is marked with the time until it is back', async () => {
    await gateway.phone(NUMERO).loseLine();
    await waitFor(() => expect(mark()).to.be.a('string'));
    const now = new Date();
    const times = [now, new Date(now.getTime() - 60_000)].map(
      (date) => `Se cayó a las ${date.toLocaleTimeString('es', { hour: '2-digit', minute: '2-digit' })}`,
    );
    expect(times).to.include(mark());
    await gateway.phone(NUMERO).recoverLine();
    await waitFor(() => expect(mark()).to.equal(undefined));
  });

  it('keeps the mark through other states, and loses it when somebody acts', async () => {
    await gateway.phone(NUMERO).loseLine();
    await gateway.phone(NUMERO).recoverLine();
    await gateway.phone(NUMERO).unlink();
    await waitFor(() => {
      expect(card.textContent).to.include('DESCONECTADO');
      expect(mark()).to.be.ok;
    });
    await gateway.push('session:change_state', { numero: NUMERO, state: 'UNPAIRED' });
    await waitFor(() => expect(card.textContent).to.include('UNPAIRED'));
    expect(mark()).to.be.a('string');
    await click(panel.button('Levantar Sesión', card));
    await waitFor(() => expect(mark()).to.equal(undefined));
  });

  it('is noticed too when it fell while there was no connection', async () => {
    await gateway.restart({ sessions: [{ numero: NUMERO, state: 'disconnected' }] });
    await waitFor(() => expect(mark()).to.be.a('string'));
  });

  it('is announced once, politely', async () => {
    await gateway.phone(NUMERO).unlink();
    const said = `Se cayó ${NUMERO}: DESCONECTADO`;
    await waitFor(
      () =>
        expect(
          panel.all('status').some(({ textContent }) => textContent === said),
          said,
        ).to.be.ok,
    );
  });

  it('is told to the host page, with what a notification of its own needs', async () => {
    await gateway.phone(NUMERO).unlink();
    await waitFor(() => expect(changes).to.have.length.above(0));
    expect(changes).to.deep.equal([
      { numero: NUMERO, state: 'DESCONECTADO', previousState: 'CONNECTED', asks: 'act', dropped: true },
    ]);
    await click(panel.button('Levantar Sesión', card));
    await waitFor(() => expect(changes).to.have.length.above(1));
    expect(changes[1]).to.include({ state: 'AUTENTICANDO...', asks: 'wait', dropped: false });
  });

  it('has not fallen when the operator starts or deletes it', async () => {
    await click(panel.button('Levantar Sesión', card));
    await waitFor(() => {
      expect(card.textContent).to.include('CONNECTED');
      expect(changes).to.have.length.at.least(2);
    });
    expect(
      changes
        .filter(({ dropped }) => dropped)
        .map((c) => JSON.stringify(c))
        .join(' '),
    ).to.equal('');
    await click(panel.button('Eliminar Sesión', card));
    await click(panel.button('Eliminar', await panel.openDialog()));
    await waitFor(() => expect(panel.numeros()).to.have.length(0));
    expect(
      changes
        .filter(({ dropped }) => dropped)
        .map((c) => JSON.stringify(c))
        .join(' '),
    ).to.equal('');
  });
});
