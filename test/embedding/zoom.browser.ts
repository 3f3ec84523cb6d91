import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { click } from '../support/input.ts';
import { openPanel } from '../support/panel.ts';

const sessions = Array.from({ length: 60 }, (_, index) => ({
  numero: String(5491155550001 + index),
  state: 'connected' as const,
}));
const NUMERO = '5491155550001';

describe('in a page with zoom', () => {
  before(function () {
    // Elsewhere boxes are measured in the pixels of styles.
    if (!('currentCSSZoom' in Element.prototype)) this.skip();
  });
  beforeEach(() => document.body.style.setProperty('zoom', '0.8'));
  afterEach(() => document.body.removeAttribute('style'));

  it('the menu is at its button', async () => {
    const { panel } = await openPanel({ sessions });
    const button = panel.button(`Más acciones de ${NUMERO}`, await panel.card(NUMERO));
    await click(button);
    const menu = await panel.find('menu');
    const { right, bottom } = button.getBoundingClientRect();
    // It comes in with a small motion.
    await waitFor(() => expect(menu.getBoundingClientRect().top).to.be.closeTo(bottom, 1));
    expect(menu.getBoundingClientRect().right).to.be.closeTo(right, 1);
  });

  it('a card far from the screen keeps its height', async () => {
    const { panel } = await openPanel({ sessions });
    const card = await panel.card(NUMERO);
    const { height } = card.getBoundingClientRect();
    panel.all('article').at(-1)?.scrollIntoView();
    await waitFor(() => expect(card.dataset.outline).to.equal('true'));
    expect(card.getBoundingClientRect().height).to.be.closeTo(height, 1);
  });
});
