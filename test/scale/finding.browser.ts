import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { startGateway } from '../support/gateway.ts';
import { click, type } from '../support/input.ts';
import { mountReady } from '../support/panel.ts';

const COUNT = 1000;
const numeroOf = (index: number) => String(5491155550000 + index);

describe('a filter over a thousand sessions', () => {
  it('touches nothing inside a card, and mounts none anew', async () => {
    const gateway = await startGateway({
      sessions: Array.from({ length: COUNT }, (_, index) => ({
        numero: numeroOf(index),
        state: 'connected',
      })),
    });
    const panel = await mountReady(gateway);
    const cards = [...panel.root.querySelectorAll('article')];
    const [grid] = panel.root.querySelectorAll('[part=grid]');
    const touched: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const { target, type: kind, attributeName } of records) {
        if (!(kind === 'attributes' && attributeName === 'hidden' && target.parentNode === grid)) {
          touched.push(`${kind} ${attributeName} ${target.nodeName}`);
        }
      }
    });
    if (grid)
      observer.observe(grid, { subtree: true, childList: true, attributes: true, characterData: true });

    await click(panel.root.querySelector('input[type=search]') ?? panel.element);
    await type('0007');
    const shown = () => cards.filter((card) => card.checkVisibility());
    await waitFor(() => expect(shown()).to.have.length(1));
    expect(shown()[0]?.textContent).to.include(numeroOf(7));
    observer.disconnect();
    expect(touched).to.deep.equal([]);
    expect([...panel.root.querySelectorAll('article')]).to.have.length(COUNT);
  });

  it('is arranged a few times a second at most, however many pushes come', async () => {
    const gateway = await startGateway({
      sessions: Array.from({ length: COUNT }, (_, index) => ({
        numero: numeroOf(index),
        state: 'connected',
      })),
    });
    const panel = await mountReady(gateway);
    const counter = [...panel.root.querySelectorAll('button')].find(({ textContent }) =>
      textContent?.startsWith('Requieren'),
    );
    await click(counter ?? panel.element);
    let times = 0;
    const observer = new MutationObserver(() => {
      times += 1;
    });
    const [grid] = panel.root.querySelectorAll('[part=grid]');
    if (grid) observer.observe(grid, { subtree: true, attributeFilter: ['hidden'] });
    const begun = performance.now();
    await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        gateway.push('session:change_state', { numero: numeroOf(index), state: 'CONFLICT' }),
      ),
    );
    await waitFor(() => expect(panel.root.querySelectorAll('article:not([hidden])')).to.have.length(300));
    observer.disconnect();
    expect(times).to.be.at.most(1 + (performance.now() - begun) / 240);
  });
});
