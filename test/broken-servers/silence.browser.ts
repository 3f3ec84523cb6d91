import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { jumpAhead, stopClock } from '../support/browser-clock.ts';
import { consoleErrors } from '../support/console.ts';
import { nextFrame } from '../support/frame.ts';
import { startGateway } from '../support/gateway.ts';
import { click } from '../support/input.ts';
import { mount, openPanel } from '../support/panel.ts';

const numeroOf = (index: number) => String(5491155550000 + index);
const NUMERO = numeroOf(0);
const LIST = { method: 'GET', path: '/api/session/sessions' };
const START = { method: 'GET', path: '/api/session/levanta/*' };
const CONNECTED = [{ numero: NUMERO, state: 'connected' }] as const;

describe('a list that is never answered', () => {
  it('is reported as late after ten seconds, and can be requested again', async () => {
    const gateway = await startGateway({ sessions: CONNECTED });
    await gateway.hold(LIST);
    stopClock();
    const panel = await mount(gateway);
    const spinner = await panel.find('progressbar', 'Cargando las sesiones');
    const lists = async () => (await gateway.requests('GET', LIST.path)).length;
    await waitFor(async () => expect(await lists()).to.be.at.least(2));
    // The panel begins to count once the spinner is painted, which a busy browser does late.
    await nextFrame();
    jumpAhead(9_000);
    expect(panel.text).not.to.include('no responde');
    jumpAhead(2_000);
    await waitFor(() => expect(panel.text).to.include('El servidor todavía no responde.'));
    expect(spinner.isConnected).to.equal(true);
    const retry = panel.button('Reintentar');
    retry.focus();
    // The panel asks by itself, too, every half minute.
    const before = await lists();
    await click(retry);
    await waitFor(async () => expect(await lists()).to.be.above(before));
    expect(panel.text).not.to.include('no responde');
    expect(panel.focused?.textContent).to.equal('Sesiones activas');
    await gateway.liftFaults();
    await panel.card(NUMERO);
    expect(panel.notices()).to.deep.equal([]);
  });
});

describe('starts that hang when the live connection breaks', () => {
  it('are aborted, since they take all connections that the browser allows per server', async () => {
    consoleErrors();
    const sessions = Array.from({ length: 8 }, (_, index) => ({
      numero: numeroOf(index),
      state: 'disconnected' as const,
    }));
    const { gateway, panel } = await openPanel({ sessions });
    await gateway.hold(START);
    for (const { numero } of sessions) {
      panel.button('Levantar Sesión', await panel.card(numero)).click();
    }
    await waitFor(async () => {
      const starts = (await gateway.requests('GET')).filter(({ path }) => path.includes('/levanta/'));
      expect(starts).to.have.length.at.least(6);
    });
    const { length } = await gateway.handshakes();
    await gateway.disconnectSockets();
    await waitFor(async () => expect(await gateway.handshakes()).to.have.length.above(length));
    await waitFor(() => expect(panel.notices()).to.include('Request aborted'));
    await panel.hears(gateway, NUMERO);
  });
});
