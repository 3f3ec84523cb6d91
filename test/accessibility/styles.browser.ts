import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { click, fill, hover } from '../support/input.ts';
import { emulate } from '../support/media.ts';
import { existing, openPanel, type Panel } from '../support/panel.ts';

const numeroOf = (index: number) => String(5491155550000 + index);
const sessions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ numero: numeroOf(index), state: 'disconnected' as const }));

const card = (panel: Panel, index: number): HTMLElement =>
  existing(panel.root.querySelector<HTMLElement>(`[data-numero="${numeroOf(index)}"]`));

describe('the style sheets', () => {
  it('hide an open row that is filtered out, whatever the page says of cards', async () => {
    const { panel } = await openPanel({ sessions: sessions(12) }, { view: 'list' });
    const style = document.createElement('style');
    style.textContent = 'whatsapp-operadores::part(card) { display: grid }';
    document.head.append(style);
    try {
      await click(panel.button(`Abrir ${numeroOf(2)}`));
      await fill(panel.get('searchbox', 'Buscar') as HTMLInputElement, numeroOf(7));
      await waitFor(() => expect(card(panel, 1).checkVisibility()).to.equal(false));
      expect(card(panel, 2).checkVisibility()).to.equal(false);
      expect(card(panel, 7).checkVisibility()).to.equal(true);
    } finally {
      style.remove();
    }
  });

  it('leave a remedy of a row as high under the mouse as before', async () => {
    const { panel } = await openPanel({ sessions: sessions(12) }, { view: 'list' });
    const remedy = panel.button('Levantar', card(panel, 2));
    const clip = () => getComputedStyle(remedy).backgroundClip;
    const before = clip();
    await hover(remedy);
    expect(clip()).to.equal(before);
  });

  it('print every row of a list in the same columns, with its whole advice, and no button', async function () {
    if (!navigator.userAgent.includes('Chrome')) this.skip();
    const { panel } = await openPanel({ sessions: sessions(60) }, { view: 'list' });
    await emulate({ type: 'print' });
    const columns = [0, 59].map((index) => {
      const advice = card(panel, index).querySelector<HTMLElement>('.advice');
      expect(advice?.innerText).to.match(/volver a usarla\.$/);
      expect(advice?.scrollWidth).to.be.at.most(advice?.offsetWidth ?? 0);
      expect(card(panel, index).offsetHeight).to.be.within(20, 200);
      const words = [...card(panel, index).querySelectorAll('h3, .state, .advice')];
      return words.map((element) => element.getBoundingClientRect().x);
    });
    expect(columns[0]).to.deep.equal(columns[1]);
    expect(panel.all('button').filter((button) => button.checkVisibility())).to.deep.equal([]);
  });
});
