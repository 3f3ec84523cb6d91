import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { click } from '../support/input.ts';
import { openPanel } from '../support/panel.ts';
import { resize } from '../support/viewport.ts';
import { scenes } from './scenes.ts';

/** The least size of a control in pixels: more for a finger. */
const TARGET = matchMedia('(pointer: coarse)').matches ? 44 : 36;

describe('the layout', () => {
  for (const [name, show] of Object.entries(scenes)) {
    it(`${name}: nothing is cut off or too small to hit, from 280 pixels up`, async () => {
      const panel = await show();
      const { root } = panel;
      // A window of 1280 pixels is one of 640 at 200 % zoom, and one of 320 at 400 %.
      for (const width of [280, 320, 640, 1280]) {
        await resize(panel, width, 800);
        await panel.settled();
        const { scrollWidth } = document.documentElement;
        expect(scrollWidth, `width of the page at ${width}`).to.be.at.most(innerWidth);
        const controls = [...root.querySelectorAll(':not([data-outline]) > button, input, select')].filter(
          (one) => one.checkVisibility(),
        );
        expect(controls.filter(isSmall).map(describeBox), `at ${width}`).to.deep.equal([]);
        const shown = [...root.querySelectorAll(':not([data-outline] *)')].filter(isShown);
        expect(shown.filter(isOutside).map(describeBox), `at ${width}`).to.deep.equal([]);
      }
    });
  }

  it('keeps a dialog usable in a window hardly higher than its title', async () => {
    const { panel } = await openPanel({ sessions: 0 });
    // 1280 by 1024 pixels at 400 %.
    await resize(panel, 320, 256);
    const dialog = await panel.openAddDialog();
    const { top, bottom } = dialog.getBoundingClientRect();
    expect(top).to.be.at.least(0);
    expect(bottom).to.be.at.most(256);
    await click(panel.textbox('Número de teléfono', dialog));
    await click(panel.button('Cancelar', dialog));
    await waitFor(() => expect(panel.dialog()).to.equal(null));
  });

  it('ends a long state where the fields below it end', async () => {
    const { gateway, panel } = await openPanel({ sessions: [{ numero: '34600000001', state: 'connected' }] });
    const state = 'SIN CONEXIÓN CON EL SERVIDOR DE LA SESIÓN: se sigue intentando...';
    await gateway.push('session:change_state', { numero: '34600000001', state });
    await resize(panel, 320, 800);
    const badge = await waitFor(
      () => panel.root.querySelector('.state-line .state') ?? expect.fail('no state'),
    );
    await waitFor(() => expect(badge.textContent).to.equal(state));
    const end = (element: Element) => Math.round(element.getBoundingClientRect().right);
    expect(end(badge)).to.be.at.most(end(panel.button('Enviar Mensaje')));
    // At 200 % zoom, it stands beside the picture, which would fill the window.
    await resize(panel, 640, 450);
    const picture = panel.root.querySelector('.picture') ?? expect.fail('no picture');
    expect(end(picture)).to.be.below(badge.getBoundingClientRect().left);
  });

  it('lets many notices be read and closed in a small window', async () => {
    const { gateway, panel } = await openPanel({ sessions: 4 }, { 'notification-timeout': '0' });
    await resize(panel, 320, 256);
    for (const numero of panel.numeros()) await gateway.push(`session:authenticated:${numero}`);
    await waitFor(() => expect(panel.notices()).to.have.length(4));
    for (const notice of panel.root.querySelectorAll('.Toastify__toast')) {
      expect(notice.scrollHeight).to.be.at.most(notice.clientHeight);
    }
    for (let left = 4; left > 0; left -= 1) {
      const [, close] = panel.all('button', 'Cerrar');
      await click(close ?? panel.button('Cerrar'));
      await waitFor(() => expect(panel.notices()).to.have.length.below(left));
    }
  });
});

function isSmall(element: Element): boolean {
  // A label around a control is part of its target.
  const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
  return Math.round(width) < TARGET || Math.round(height) < TARGET;
}

/** Whether an element is on the screen; text for screen readers only is clipped, and so is what ends in an ellipsis. */
function isShown(element: Element): boolean {
  if (!element.checkVisibility() || element.closest('.visually-hidden')) return false;
  const { parentElement } = element;
  return !parentElement || getComputedStyle(parentElement).textOverflow !== 'ellipsis';
}

/** Whether an element reaches over a side of the window; a pixel is for rounding. */
function isOutside(element: Element): boolean {
  const { left, right, width } = element.getBoundingClientRect();
  return width > 1 && (left < -1 || right > innerWidth + 1);
}

function describeBox(element: Element): string {
  const { left, top, width, height } = element.getBoundingClientRect();
  return `<${element.localName} class="${element.className}"> ${element.textContent.slice(0, 40)}: ${width} × ${height} at ${left}, ${top}`;
}
