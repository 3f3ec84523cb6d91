import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { consoleErrors } from '../support/console.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { click } from '../support/input.ts';
import { mountReady, type Panel } from '../support/panel.ts';

const NUMERO = '5215550001111';
const TEXT = `Sesión de ${NUMERO} autenticada y lista para usarse`;

describe('notices (spec §2, §5, §9)', () => {
  let gateway: Gateway;

  beforeEach(async () => {
    gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
  });

  /** Causes a notice and looks at it at once: it may be gone after anything else that is awaited. */
  async function notify<T>(panel: Panel, look: (notice: HTMLElement) => T): Promise<T> {
    const notice = panel.notice(TEXT).then(look);
    await gateway.push(`session:authenticated:${NUMERO}`);
    return notice;
  }
  const place = (notice: HTMLElement) => notice.getBoundingClientRect();

  it('appear at the top right with a progress bar, and close after 5 seconds', async () => {
    const panel = await mountReady(gateway, { 'notification-timeout': null });
    const askedAt = performance.now();
    const [{ top, right }, bar] = await notify(panel, (notice) => [
      place(notice),
      panel.get('progressbar', undefined, notice.parentElement ?? panel.root),
    ]);
    expect(top).to.be.below(innerHeight / 3);
    expect(right).to.be.above(innerWidth * 0.8);
    expect(bar.style.animationDuration).to.equal('5000ms');
    await waitFor(() => expect(panel.notices()).to.have.length(0));
    expect(performance.now() - askedAt).to.be.at.least(4900);
  });

  it('have the duration and the position that the page sets', async () => {
    const panel = await mountReady(gateway, {
      'notification-timeout': '2000',
      'notification-position': 'bottom-left',
    });
    const { bottom, left } = await notify(panel, place);
    expect(bottom).to.be.above(innerHeight * 0.7);
    expect(left).to.be.below(innerWidth / 3);
    await waitFor(() => expect(panel.notices()).to.have.length(0));
  });

  it('stay until they are closed when the duration is 0', async () => {
    const panel = await mountReady(gateway, { 'notification-timeout': '0' });
    await notify(panel, place);
    // The bar's animation is the timer: without animations, nothing closes the notice.
    await waitFor(() =>
      expect(panel.root.getAnimations().map(({ playState }) => playState)).not.to.include('running'),
    );
    expect(panel.notices()).to.deep.equal([TEXT]);
    expect(panel.all('progressbar', undefined, panel.get('region', 'Notificaciones'))).to.deep.equal([]);
    await click(panel.button('Cerrar'));
    await waitFor(() => expect(panel.notices()).to.have.length(0));
  });

  it('log an invalid notification-timeout and take the default', async () => {
    const logged = consoleErrors();
    const panel = await mountReady(gateway, { 'notification-timeout': '-1' });
    expect(logged().join()).to.include('notification-timeout="-1"');
    const { top, right } = await notify(panel, place);
    expect(top).to.be.below(innerHeight / 3);
    expect(right).to.be.above(innerWidth * 0.8);
  });
});
