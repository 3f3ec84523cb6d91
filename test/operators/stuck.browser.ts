import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { jumpAhead, stopClock } from '../support/browser-clock.ts';
import { consoleErrors } from '../support/console.ts';
import type { Gateway } from '../support/gateway.ts';
import { click, resetMouse } from '../support/input.ts';
import { existing, openPanel, type Panel, standsOut } from '../support/panel.ts';

const NUMERO = '5491155550001';
const OTHER = '34600000001';
const START = { method: 'GET', path: '/api/session/levanta/*', times: 1 };

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
  const start = () => panel.button('Levantar Sesión', card);

  it('waiting for its code says so after a minute, and can be restarted', async () => {
    stopClock();
    await open('waiting');
    await toSay('El servidor está preparando el código.');
    const spinner = panel.get('progressbar', undefined, card);
    expect(spinner.getAnimations()).to.have.length(1);
    jumpAhead(59_000);
    expect(standsOut(start())).to.equal(false);
    jumpAhead(2_000);
    await toSay('El servidor no ha enviado el código.');
    expect(spinner.getAnimations()).to.deep.equal([]);
    await waitFor(() => expect(standsOut(start())).to.equal(true));
    await click(start());
    await waitFor(() => expect(card.querySelector('svg[role="img"]'), 'the code').to.be.ok);
    await resetMouse();
    await waitFor(() => expect(standsOut(start())).to.equal(false));
    expect(panel.focused).to.equal(start());
  });

  it('is announced', async () => {
    await open('waiting');
    jumpAhead(61_000);
    await announcement('El servidor no ha enviado el código.');
  });

  it('is not announced again when a second reason follows', async () => {
    await open('waiting', [OTHER]);
    await gateway.hold(START);
    await click(start());
    await waitFor(() => expect(start().ariaDisabled).to.equal('true'));
    jumpAhead(31_000);
    const region = await announcement('El servidor todavía no responde');
    jumpAhead(31_000);
    await waitFor(() => expect(standsOut(start()), 'the card to be stuck').to.equal(true));
    // Announced together with what came before it.
    await gateway.push('session:change_state', { numero: OTHER, state: 'OPENING' });
    await waitFor(() => expect(region.textContent).to.include(OTHER));
    expect(region.textContent).not.to.include(NUMERO);
  });
});

describe('a card with a failed action', () => {
  it('shows a failed deletion, and asks again before it retries', async () => {
    consoleErrors();
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    const card = await panel.card(NUMERO);
    await gateway.answer({ method: 'DELETE', path: '/api/session/*', times: 1 }, { status: 500 });
    await panel.deleteSession(card);
    // The technical term is for the notice.
    await waitFor(() =>
      expect(card.textContent).to.include('No se pudo eliminar: El servidor tuvo un error. Reinténtalo; '),
    );
    const deletion = panel.button('Eliminar Sesión', card);
    await waitFor(() => expect(standsOut(deletion)).to.equal(true));
    await click(deletion);
    await click(panel.button('Eliminar', await panel.openDialog()));
    await waitFor(() => expect(panel.numeros()).to.have.length(0));
  });
});
