import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { jumpAhead } from '../support/browser-clock.ts';
import { consoleErrors } from '../support/console.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { click } from '../support/input.ts';
import { existing, mountReady, type Panel } from '../support/panel.ts';

const NUMERO = '5491155550001';
const OTHER = '5491155550002';
const START = { method: 'GET', path: '/api/session/levanta/*' };
const DELETE = { method: 'DELETE', path: '/api/session/*', times: 1 };

describe('what crosses on its way', () => {
  let gateway: Gateway;
  let panel: Panel;
  let card: HTMLElement;

  async function open(state: 'connected' | 'qr' | 'disconnected'): Promise<void> {
    const sessions = [
      { numero: NUMERO, state },
      { numero: OTHER, state: 'connected' as const },
    ];
    gateway = await startGateway({ sessions, speed: 0.01 });
    panel = await mountReady(gateway);
    card = await panel.card(NUMERO);
  }
  const code = () => card.querySelector('svg[role="img"]');
  const toSay = (text: string) => waitFor(() => expect(card.textContent).to.include(text));
  /** What was pushed before has come when this has: pushes keep their order. */
  async function toHearAll(): Promise<void> {
    const other = await panel.card(OTHER);
    await gateway.push('session:change_state', { numero: OTHER, state: 'HEARD' });
    await waitFor(() => expect(other.textContent).to.include('HEARD'));
  }
  async function startDeleting(): Promise<void> {
    await click(panel.button('Eliminar Sesión', card));
    await click(panel.button('Eliminar', await panel.openDialog()));
    await toSay('CERRANDO SESIÓN...');
  }

  it('does not bring back a code whose life had ended before the start was answered', async () => {
    await open('disconnected');
    const answer = await gateway.hold(START, { json: { numero: NUMERO } });
    await click(panel.button('Levantar Sesión', card));
    await waitFor(
      async () =>
        expect(
          (await gateway.requests('GET')).some(({ path }) => path.includes('levanta')),
          'it',
        ).to.be.ok,
    );
    await gateway.push(`session:qr:${NUMERO}`, '2@dead');
    await waitFor(() => existing(code()));
    await gateway.push(`session:disconnected:${NUMERO}`);
    await toSay('DESCONECTADO');
    await answer();
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    expect(code()).to.equal(null);
  });

  it('does not make a code young again that came while a deletion was failing', async () => {
    consoleErrors();
    await open('qr');
    const answer = await gateway.hold(DELETE, { status: 500 });
    await startDeleting();
    await gateway.push(`session:qr:${NUMERO}`, '2@later');
    await toHearAll();
    jumpAhead(61_000);
    await answer();
    await toSay('Código vencido');
  });

  it('does not make a code young again that a list still has', async () => {
    await open('qr');
    jumpAhead(63_000);
    await toSay('Código vencido');
    await gateway.push(`session:qr_timeout:${NUMERO}`);
    await toSay('DESCONECTADO');
    await panel.element.refresh();
    await toSay('Código vencido');
  });

  it('covers a code when the clock is set back', async () => {
    await open('qr');
    await gateway.push(`session:qr:${NUMERO}`, '2@new');
    await waitFor(() => expect(card.querySelector('.freshness'), 'the code').to.be.ok);
    jumpAhead(-3_600_000);
    await toSay('Código vencido');
  });

  it('believes a CONNECTED that comes as a mere state, whatever code there was', async () => {
    await open('qr');
    await gateway.push('session:change_state', { numero: NUMERO, state: 'CONNECTED' });
    await toSay('Lista para enviar y recibir mensajes.');
    jumpAhead(63_000);
    await toHearAll();
    expect(card.querySelector('[data-asks="nothing"]')?.textContent).to.equal('CONNECTED');
    expect(card.textContent).not.to.include('vencido');
  });

  it('notices a fall that happened while a deletion was failing', async () => {
    consoleErrors();
    await open('connected');
    const answer = await gateway.hold(DELETE, { status: 500 });
    await startDeleting();
    await gateway.push(`session:disconnected:${NUMERO}`);
    await toHearAll();
    await answer();
    await toSay('Se cayó a las');
  });

  it('forgets a failed start when it was tried again with success, and a list came in between', async () => {
    consoleErrors();
    await open('disconnected');
    await gateway.answer({ ...START, times: 1 }, { status: 503 });
    await click(panel.button('Levantar Sesión', card));
    await toSay('No se pudo levantar');
    const answer = await gateway.hold(START, { json: { numero: NUMERO } });
    await click(panel.button('Reintentar', card));
    await panel.element.refresh();
    await answer();
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    await waitFor(() => expect(card.textContent).not.to.include('No se pudo'));
  });

  it('offers to delete what the server says it is closing, where nobody asked it here', async () => {
    await open('connected');
    await gateway.push('session:change_state', { numero: NUMERO, state: 'CERRANDO SESIÓN...' });
    await toSay('El servidor la está eliminando.');
    jumpAhead(31_000);
    await toSay('El servidor no responde');
    await click(panel.button('Reintentar', card));
    expect((await panel.openDialog()).textContent).to.include('¿Estas seguro');
  });

  it('tells once what is told often', async () => {
    await open('qr');
    for (let index = 0; index < 5; index += 1) await gateway.push(`session:authenticated:${NUMERO}`);
    await gateway.push('session:change_state', { numero: NUMERO, state: 'PAIRING' });
    await toSay('PAIRING');
    const told = panel.notices().filter((text) => text.includes('autenticada'));
    expect(told).to.have.length(1);
  });
});
