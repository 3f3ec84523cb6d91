import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { isWebKit } from '../support/browser.ts';
import { emulate } from '../support/media.ts';
import { openPanel, type Panel } from '../support/panel.ts';
import { decodeQr } from '../support/qr.ts';

const NUMERO = '5215550000001';

describe('system settings', () => {
  before(function () {
    // WebDriver has no command for media features.
    if (isWebKit) this.skip();
  });
  afterEach(() => document.documentElement.removeAttribute('style'));

  it('reduced motion: notices still come and go', async () => {
    await emulate({ reducedMotion: true });
    const { gateway, panel } = await openPanel(
      { sessions: [{ numero: NUMERO, state: 'connected' }] },
      { 'notification-timeout': '2000' },
    );
    await Promise.all([
      panel.notice(`Sesión de ${NUMERO} autenticada y lista para usarse`),
      gateway.push(`session:authenticated:${NUMERO}`),
    ]);
    await waitFor(() => expect(panel.notices()).to.have.length(0));
  });

  it('dark colours: the panel follows the system where the page allows both', async () => {
    document.documentElement.style.colorScheme = 'light dark';
    const { panel } = await openPanel({ sessions: 1 });
    const light = lightnessOf(panel);
    await emulate({ colorScheme: 'dark' });
    expect(light).to.be.above(0.8);
    expect(lightnessOf(panel)).to.be.below(0.2);
  });

  it('forced colours: the code can be scanned, and each state has a shape of its own', async () => {
    await emulate({ forcedColors: true });
    const { gateway, panel } = await openPanel({
      sessions: [
        { numero: NUMERO, state: 'qr' },
        { numero: '5215550000002', state: 'connected' },
        { numero: '5215550000003', state: 'disconnected' },
      ],
    });
    const text = await gateway.phone(NUMERO).code();
    await waitFor(async () => expect((await decodeQr(panel.get('img', /QR/)))?.text).to.equal(text));
    const shapes = [...panel.root.querySelectorAll('[part=state]')].map((badge) => {
      const { borderRadius, borderWidth, backgroundColor } = getComputedStyle(badge, '::before');
      return [borderRadius, borderWidth, borderWidth === '0px' || backgroundColor].join();
    });
    expect(new Set(shapes).size, shapes.join(' | ')).to.equal(3);
  });
});

/** The lightness of the panel's background, from 0 to 1. */
function lightnessOf(panel: Panel): number {
  const section = panel.root.querySelector('section');
  const color = section ? getComputedStyle(section).backgroundColor : '';
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return (red + green + blue) / 3 / 255;
}
