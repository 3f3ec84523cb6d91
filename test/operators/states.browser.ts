import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { REPORTED_STATES } from '../../demo/gateway/simulated/reported-states.ts';
import { startGateway } from '../support/gateway.ts';
import { existing, mountReady } from '../support/panel.ts';

const NUMERO = '5491155550001';

/** What each one asks of the operator, by the first words of its explanation. */
const EXPLANATIONS: Record<(typeof REPORTED_STATES)[number], [asks: string, explanation: string]> = {
  CONNECTED: ['nothing', 'Lista para enviar y recibir mensajes.'],
  OPENING: ['wait', 'Se está conectando con WhatsApp'],
  PAIRING: ['wait', 'El teléfono se está vinculando'],
  TIMEOUT: ['wait', 'WhatsApp no responde'],
  CONFLICT: ['act', 'El número está abierto en otro WhatsApp Web.'],
  DEPRECATED_VERSION: ['act', 'WhatsApp ya no acepta la versión del servidor'],
  PROXYBLOCK: ['act', 'La red del servidor bloquea WhatsApp'],
  SMB_TOS_BLOCK: ['act', 'WhatsApp bloqueó esta cuenta de empresa.'],
  TOS_BLOCK: ['act', 'WhatsApp bloqueó esta cuenta.'],
  UNLAUNCHED: ['act', 'El servidor no ha abierto WhatsApp para esta sesión.'],
  UNPAIRED: ['act', 'El teléfono desvinculó este dispositivo.'],
  UNPAIRED_IDLE: ['act', 'Nadie escaneó el código a tiempo.'],
  HIBERNATING: ['unknown', 'El panel no conoce este estado'],
};

describe('under its exact text, each state says in a line what it asks for:', () => {
  for (const state of REPORTED_STATES) {
    const [asks, explanation] = EXPLANATIONS[state];
    it(`${state} (${asks})`, async () => {
      const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
      const panel = await mountReady(gateway);
      const card = await panel.card(NUMERO);
      await gateway.phone(NUMERO).report(state);
      const badge = await waitFor(() => existing(card.querySelector(`[part="state"][data-asks="${asks}"]`)));
      expect(badge.textContent).to.equal(state);
      expect(badge.nextElementSibling?.textContent).to.include(explanation);
    });
  }

  it('the four of the spec', async () => {
    const gateway = await startGateway({
      sessions: [
        { numero: '5491155550001', state: 'waiting' },
        { numero: '5491155550002', state: 'qr' },
        { numero: '5491155550003', state: 'disconnected' },
        { numero: '5491155550004', state: 'connected' },
      ],
    });
    const panel = await mountReady(gateway);
    const explained = panel.all('article').map((card) => {
      const badge = card.querySelector('[part="state"]');
      return [badge?.textContent, badge?.nextElementSibling?.textContent];
    });
    expect(explained).to.deep.equal([
      ['AUTENTICANDO...', 'El servidor está preparando el código.'],
      ['AUTENTICANDO...', 'Escanéalo con el teléfono de este número.'],
      ['DESCONECTADO', 'No está conectada a WhatsApp. Levántala para volver a usarla.'],
      ['CONNECTED', 'Lista para enviar y recibir mensajes.'],
    ]);
  });

  it('each of the four has a colour of its own', async () => {
    const gateway = await startGateway({
      sessions: [
        { numero: '5491155550001', state: 'waiting' },
        { numero: '5491155550002', state: 'qr' },
        { numero: '5491155550003', state: 'disconnected' },
        { numero: '5491155550004', state: 'connected' },
      ],
    });
    const panel = await mountReady(gateway);
    const badges = [...panel.root.querySelectorAll('[part="state"]')];
    expect(new Set(badges.map((badge) => getComputedStyle(badge).color))).to.have.property('size', 4);
  });

  it('a state that carries its own explanation is shown as it came, and not doubted', async () => {
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    const panel = await mountReady(gateway);
    const card = await panel.card(NUMERO);
    const state = 'SIN CONEXIÓN CON WHATSAPP: se sigue intentando...';
    await gateway.push('session:change_state', { numero: NUMERO, state });
    const badge = await waitFor(() => existing(card.querySelector('[data-asks="wait"]')));
    expect(badge.textContent).to.equal(state);
    expect(card.textContent).not.to.include('no conoce');
  });

  it('codes that nobody scanned are told from a line that fell', async () => {
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'qr' }] });
    const panel = await mountReady(gateway);
    const card = await panel.card(NUMERO);
    await gateway.push(`session:qr_timeout:${NUMERO}`);
    await waitFor(() => expect(card.textContent).to.include('Nadie escaneó el código a tiempo.'));
  });
});
