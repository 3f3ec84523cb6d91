import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { isWebKit } from '../support/browser.ts';
import { emulate } from '../support/media.ts';
import { clockOf, passTime } from '../support/notice-clock.ts';
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
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    await gateway.push(`session:authenticated:${NUMERO}`);
    const notice = await panel.notice(`Sesión de ${NUMERO} autenticada y lista para usarse`);
    passTime(await clockOf(panel, notice));
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

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`${colorScheme} colours: the hint in an empty field can be read (WCAG 1.4.3)`, async () => {
      await emulate({ colorScheme });
      const { panel } = await openPanel({ sessions: 9 });
      panel.element.style.colorScheme = 'light dark';
      const field = panel.get('searchbox', 'Buscar');
      // Its colours change in a moment, not at once.
      await waitFor(() => {
        const { color, opacity } = getComputedStyle(field, '::placeholder');
        expect(opacity).to.equal('1');
        const [one, other] = [color, getComputedStyle(field).backgroundColor].map(luminanceOf).sort();
        expect(((other ?? 0) + 0.05) / ((one ?? 0) + 0.05)).to.be.at.least(4.5);
      });
    });
  }

  it('forced colours: the code can be scanned, and each state has a shape of its own', async () => {
    await emulate({ forcedColors: true });
    const { gateway, panel } = await openPanel({
      sessions: [
        { numero: NUMERO, state: 'qr' },
        { numero: '5215550000002', state: 'connected' },
        { numero: '5215550000003', state: 'disconnected' },
      ],
    });
    await waitFor(async () => {
      const text = (await decodeQr(panel.get('img', /QR/)))?.text;
      // It is replaced after a minute.
      expect(text).to.equal(await gateway.phone(NUMERO).code());
    });
    const [idle, next] = panel
      .all('button', 'Levantar Sesión')
      .slice(1)
      .map((button) => getComputedStyle(button));
    expect(next?.borderTopWidth, 'what is to be done').not.to.equal(idle?.borderTopWidth);
    const shapes = [...panel.root.querySelectorAll('[part=state]')].map((badge) => {
      const { borderRadius, borderWidth, backgroundColor } = getComputedStyle(badge, '::before');
      return [borderRadius, borderWidth, borderWidth === '0px' || backgroundColor].join();
    });
    expect(new Set(shapes).size, shapes.join(' | ')).to.equal(3);
  });
});

/** The relative luminance of an opaque colour (WCAG 2). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The lightness of the panel's background, from 0 to 1. */
function lightnessOf(panel: Panel): number {
  const section = panel.root.querySelector('section');
  const color = section ? getComputedStyle(section).backgroundColor : '';
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return (red + green + blue) / 3 / 255;
}
