import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { consoleErrors } from '../support/console.ts';
import { nextFrame } from '../support/frame.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { click, hover } from '../support/input.ts';
import { clockOf } from '../support/notice-clock.ts';
import { existing, mountReady, type Panel } from '../support/panel.ts';

const NUMERO = '5215550001111';
const TEXT = `Sesión de ${NUMERO} autenticada y lista para usarse`;

describe('notices', () => {
  const { animate } = Element.prototype;
  let gateway: Gateway;

  beforeEach(async () => {
    gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
  });

  afterEach(() => {
    Element.prototype.animate = animate;
  });

  /** Causes a notice whose time stands still: it could be over before a busy machine has looked at it. */
  async function notify(panel: Panel): Promise<HTMLElement> {
    Element.prototype.animate = function (...args: Parameters<typeof animate>) {
      const clock = animate.apply(this, args);
      clock.playbackRate = 0;
      return clock;
    };
    await gateway.push(`session:authenticated:${NUMERO}`);
    return panel.notice(TEXT);
  }
  const width = (element: Element) => element.getBoundingClientRect().width;
  const place = (notice: HTMLElement) => notice.getBoundingClientRect();

  /** Ends the time of a notice. */
  function end(clock: Animation): void {
    clock.playbackRate = 1;
    clock.finish();
  }

  it('appear at the top right with a progress bar, and close after 5 seconds', async () => {
    const panel = await mountReady(gateway, { 'notification-timeout': null });
    const notice = await notify(panel);
    const { top, right } = place(notice);
    const clock = await clockOf(panel, notice);
    expect(top).to.be.below(innerHeight / 3);
    expect(right).to.be.above(innerWidth * 0.8);
    expect(clock.effect?.getTiming().duration).to.equal(5000);
    clock.currentTime = 4900;
    await nextFrame();
    expect(panel.notices()).to.deep.equal([TEXT]);
    end(clock);
    await waitFor(() => expect(panel.notices()).to.have.length(0));
  });

  it('have the duration and the position that the page sets', async () => {
    const panel = await mountReady(gateway, {
      'notification-timeout': '2000',
      'notification-position': 'bottom-left',
    });
    const notice = await notify(panel);
    const { bottom, left } = place(notice);
    const clock = await clockOf(panel, notice);
    expect(bottom).to.be.above(innerHeight * 0.7);
    expect(left).to.be.below(innerWidth / 3);
    expect(clock.effect?.getTiming().duration).to.equal(2000);
    end(clock);
    await waitFor(() => expect(panel.notices()).to.have.length(0));
  });

  it('stay until they are closed when the duration is 0', async () => {
    const panel = await mountReady(gateway, { 'notification-timeout': '0' });
    await notify(panel);
    // The bar's animation is the clock: without animations, nothing closes the notice.
    await waitFor(() =>
      expect(panel.root.getAnimations().map(({ playState }) => playState)).not.to.include('running'),
    );
    expect(panel.notices()).to.deep.equal([TEXT]);
    expect(panel.all('progressbar', undefined, panel.get('region', 'Avisos'))).to.deep.equal([]);
    await click(panel.button('Cerrar'));
    await waitFor(() => expect(panel.notices()).to.have.length(0));
  });

  it('log an invalid notification-timeout and take the default', async () => {
    const logged = consoleErrors();
    const panel = await mountReady(gateway, { 'notification-timeout': '-1' });
    expect(logged().join()).to.include('notification-timeout="-1"');
    const { top, right } = place(await notify(panel));
    expect(top).to.be.below(innerHeight / 3);
    expect(right).to.be.above(innerWidth * 0.8);
  });

  it('lie below a dialog while one is open, and their time runs on', async () => {
    const panel = await mountReady(gateway);
    await gateway.push(`session:authenticated:${NUMERO}`);
    const notice = await panel.notice(TEXT);
    const bar = panel.get('progressbar', undefined, existing(notice.parentElement));
    await waitFor(() => expect(width(bar)).to.be.below(width(notice) - 2));
    await Promise.all(notice.getAnimations().map(({ finished }) => finished));
    const [{ x, y }, before] = [place(notice), width(bar)];
    const dialog = await panel.openAddDialog();
    expect(place(notice).x).to.equal(x);
    expect(place(notice).top).to.be.above(dialog.getBoundingClientRect().bottom);
    // The bar's animation may restart, and then follows the time.
    await waitFor(() => expect(width(bar)).to.be.within(1, before));
    await click(panel.button('Cancelar'));
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    expect(place(notice)).to.include({ x, y });
    await waitFor(() => expect(width(bar)).to.be.within(1, before));
  });

  it('keep their time while the pointer is on them', async () => {
    const panel = await mountReady(gateway);
    await gateway.push(`session:authenticated:${NUMERO}`);
    const notice = await panel.notice(TEXT);
    const bar = panel.get('progressbar', undefined, existing(notice.parentElement));
    const toBe = (state: AnimationPlayState) =>
      waitFor(() => expect(bar.getAnimations().map(({ playState }) => playState)).to.deep.equal([state]));
    await hover(notice);
    await toBe('paused');
    await hover(panel.get('heading', 'Administrador de Whatsapp Operadores'));
    await toBe('running');
  });

  it("are three at most, the newest, until 'y 2 más' opens the rest", async () => {
    const numeros = [1, 2, 3, 4, 5].map((digit) => `521555000222${digit}`);
    const many = await startGateway({ sessions: numeros.map((numero) => ({ numero, state: 'connected' })) });
    const panel = await mountReady(many, { 'notification-timeout': '0' });
    for (const numero of numeros) await many.push(`session:authenticated:${numero}`);
    const text = (numero: string) => `Sesión de ${numero} autenticada y lista para usarse`;
    await waitFor(() => expect(panel.notices()).to.have.length(5));
    const shown = () =>
      [...panel.get('region', 'Avisos').querySelectorAll('.notice-text')]
        .filter((notice) => notice.checkVisibility())
        .map(({ textContent }) => textContent);
    expect(shown()).to.deep.equal(numeros.slice(-3).reverse().map(text));
    await click(await panel.find('button', 'y 2 más'));
    await waitFor(() => expect(shown()).to.have.length(5));
    expect(panel.all('button', /más/)).to.deep.equal([]);
  });

  it('that wait for their turn keep their time', async () => {
    const numeros = [1, 2, 3, 4].map((digit) => `521555000222${digit}`);
    const many = await startGateway({ sessions: numeros.map((numero) => ({ numero, state: 'connected' })) });
    const panel = await mountReady(many);
    for (const numero of numeros) await many.push(`session:authenticated:${numero}`);
    await waitFor(() => expect(panel.notices()).to.have.length(4));
    const oldest = await panel.notice(`Sesión de ${numeros[0]} autenticada y lista para usarse`);
    await waitFor(() => expect(oldest.checkVisibility()).to.equal(false));
    for (const numero of numeros.slice(1)) {
      const notice = await panel.notice(`Sesión de ${numero} autenticada y lista para usarse`);
      await click(panel.button('Cerrar', notice));
    }
    await waitFor(() => expect(oldest.checkVisibility()).to.equal(true));
    expect(width(panel.get('progressbar', undefined, oldest))).to.be.above(0.5 * width(oldest));
  });
});
