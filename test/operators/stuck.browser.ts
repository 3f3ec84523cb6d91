import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { jumpAhead, stopClock } from '../support/browser-clock.ts';
import { consoleErrors } from '../support/console.ts';
import type { Gateway } from '../support/gateway.ts';
import { click } from '../support/input.ts';
import { existing, openPanel, type Panel } from '../support/panel.ts';

const NUMERO = '5491155550001';
const OTHER = '34600000001';
const START = { method: 'GET', path: '/api/session/levanta/*', times: 1 };
const startsOf = (gateway: Gateway) => gateway.requests('GET', `/api/session/levanta/${NUMERO}`);

describe('a session that is stuck', () => {
  let gateway: Gateway;
  let panel: Panel;
  let card: HTMLElement;

  async function open(state: 'waiting' | 'connected', others: readonly string[] = []): Promise<void> {
    const connected = others.map((numero) => ({ numero, state: 'connected' as const }));
    ({ gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state }, ...connected] }));
    card = await panel.card(NUMERO);
  }
  const toSay = (text: string) => waitFor(() => expect(card.textContent).to.include(text));
  /** Waits for the live region to announce a text about the session. */
  const announcement = (text: string) =>
    waitFor(() =>
      existing(panel.all('status').find(({ textContent }) => textContent.includes(`${NUMERO}: ${text}`))),
    );
  const offers = (name: string) => panel.all('button', name, card).length > 0;

  it('waiting for its code says so after a minute, and can be restarted', async () => {
    stopClock();
    await open('waiting');
    await toSay('El servidor está preparando el código.');
    const spinner = panel.get('progressbar', undefined, card);
    expect(spinner.getAnimations()).to.have.length(1);
    jumpAhead(59_000);
    expect(offers('Levantar de nuevo')).to.equal(false);
    jumpAhead(2_000);
    await toSay('El servidor no ha enviado el código.');
    expect(spinner.getAnimations()).to.deep.equal([]);
    await click(panel.button('Levantar de nuevo'));
    await waitFor(() => expect(card.querySelector('svg[role="img"]'), 'the code').to.be.ok);
    expect(offers('Levantar de nuevo')).to.equal(false);
    expect(panel.focused?.textContent).to.equal(NUMERO);
  });

  it('closing says so after half a minute, and can be deleted again', async () => {
    await open('connected');
    const answer = await gateway.hold({ method: 'DELETE', path: '/api/session/*', times: 1 });
    await panel.deleteSession(card);
    await toSay('El servidor la está eliminando.');
    await waitFor(async () => expect(await gateway.requests('DELETE')).to.have.length(1));
    jumpAhead(31_000);
    await toSay('El servidor no responde a la solicitud de eliminarla.');
    await click(panel.button('Reintentar', card));
    await panel.notice(`La sesión de ${NUMERO} ha sido eliminada`);
    await panel.lists([]);
    expect(panel.notices()).to.deep.equal([`La sesión de ${NUMERO} ha sido eliminada`]);
    await answer();
  });

  it('closing without a request of this panel offers to delete it', async () => {
    await open('connected');
    await gateway.push('session:change_state', { numero: NUMERO, state: 'CERRANDO SESIÓN...' });
    await toSay('El servidor la está eliminando.');
    jumpAhead(31_000);
    await toSay('El servidor no responde');
    await click(panel.button('Reintentar', card));
    expect((await panel.openDialog()).textContent).to.include('¿Estas seguro');
  });

  it('starting without an answer can be started again', async () => {
    await open('connected');
    await gateway.phone(NUMERO).logOut();
    await toSay('El dispositivo se quitó desde el teléfono');
    const answer = await gateway.hold(START);
    await click(panel.button('Levantar Sesión', card));
    await waitFor(async () => expect(await startsOf(gateway)).to.have.length(1));
    jumpAhead(31_000);
    await toSay('El servidor todavía no responde');
    await click(panel.button('Levantar de nuevo', card));
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    expect(await startsOf(gateway)).to.have.length(2);
    expect(panel.notices()).to.have.length(1);
    await answer();
  });

  it('is announced', async () => {
    await open('waiting');
    jumpAhead(61_000);
    await announcement('El servidor no ha enviado el código.');
  });

  it('is not announced again when a second reason follows', async () => {
    await open('waiting', [OTHER]);
    await gateway.hold(START);
    await click(panel.button('Levantar Sesión', card));
    await waitFor(() => expect(panel.button('Levantar Sesión', card).ariaDisabled).to.equal('true'));
    jumpAhead(31_000);
    const region = await announcement('El servidor todavía no responde');
    jumpAhead(31_000);
    await waitFor(() => expect(offers('Levantar de nuevo'), 'the card to be stuck').to.be.ok);
    // Announced together with what came before it.
    await gateway.push('session:change_state', { numero: OTHER, state: 'OPENING' });
    await waitFor(() => expect(region.textContent).to.include(OTHER));
    expect(region.textContent).not.to.include(NUMERO);
  });
});

describe('a card with a failed action', () => {
  it('shows the reason for a failed start and the next step, and retries it', async () => {
    consoleErrors();
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'disconnected' }] });
    const card = await panel.card(NUMERO);
    await gateway.answer(START, { status: 503, json: { message: 'No hay memoria' } });
    await click(panel.button('Levantar Sesión', card));
    const text = `No se pudo levantar la sesión de ${NUMERO}: Request failed with status code 503: No hay memoria.`;
    await waitFor(() => expect(card.textContent).to.include(text));
    expect(card.textContent).to.include('Vuelve a intentarlo');
    await click(panel.button('Reintentar', card));
    await waitFor(() => expect(card.textContent).not.to.include('No se pudo'));
  });

  it('shows a failed deletion, and asks again before it retries', async () => {
    consoleErrors();
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    const card = await panel.card(NUMERO);
    await gateway.answer({ method: 'DELETE', path: '/api/session/*', times: 1 }, { status: 500 });
    await panel.deleteSession(card);
    await waitFor(() => expect(card.textContent).to.include(`No se pudo eliminar la sesión de ${NUMERO}`));
    await click(panel.button('Reintentar', card));
    await click(panel.button('Eliminar', await panel.openDialog()));
    await waitFor(() => expect(panel.numeros()).to.have.length(0));
  });
});
