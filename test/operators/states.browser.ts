import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { openPanel } from '../support/panel.ts';

const NUMERO = '5491155550001';

describe('a state', () => {
  it('has an explanation and its own colour', async () => {
    const { panel } = await openPanel({
      sessions: [
        { numero: '5491155550001', state: 'waiting' },
        { numero: '5491155550002', state: 'qr' },
        { numero: '5491155550003', state: 'disconnected' },
        { numero: '5491155550004', state: 'connected' },
      ],
    });
    const badges = [...panel.root.querySelectorAll('[part="state"]')];
    expect(badges.map((badge) => [badge.textContent, badge.nextElementSibling?.textContent])).to.deep.equal([
      ['AUTENTICANDO...', 'El servidor está preparando el código.'],
      ['AUTENTICANDO...', 'Escanéalo con el teléfono de este número.'],
      ['DESCONECTADO', 'Está desconectada de WhatsApp. Levántala para volver a usarla.'],
      ['CONNECTED', 'Conectada: envía y recibe mensajes.'],
    ]);
    expect(new Set(badges.map((badge) => getComputedStyle(badge).color))).to.have.property('size', 4);
  });

  it('that dropped is marked with the time until it is back', async () => {
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    const card = await panel.card(NUMERO);
    const mark = () => card.textContent.match(/Se cayó a las \d\d:\d\d/)?.[0];
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
});
