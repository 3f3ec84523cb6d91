import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { startGateway } from '../support/gateway.ts';
import { press, type } from '../support/input.ts';
import { existing, mount, openPanel, type Panel } from '../support/panel.ts';
import { decodeQr } from '../support/qr.ts';

const COUNT = 200;
const numeroOf = (index: number) => String(5491155550000 + index);

function seeds(state: 'qr' | 'connected', length = COUNT) {
  return Array.from({ length }, (_, index) => ({ numero: numeroOf(index), state }));
}

/** The number of codes in the document, on the screen or not. */
function drawn(panel: Panel): number {
  return panel.root.querySelectorAll('article svg[role="img"]').length;
}

describe('two hundred sessions', () => {
  it('are all there in their order, the first before the others', async () => {
    const gateway = await startGateway({ sessions: seeds('connected') });
    const panel = await mount(gateway);
    const first = await waitFor(() => existing(panel.root.querySelector('article')));
    await waitFor(() => expect(panel.root.querySelectorAll('article')).to.have.length(COUNT));
    expect(first.isConnected).to.equal(true);
    expect(panel.numeros()).to.deep.equal(seeds('connected').map(({ numero }) => numero));
  });

  it('are all there when one is added before the last have come', async () => {
    const gateway = await startGateway({ sessions: seeds('connected'), speed: 50 });
    const panel = await mount(gateway);
    const first = await waitFor(() => existing(panel.root.querySelector('article')));
    panel.root.querySelector<HTMLButtonElement>('button[aria-haspopup="dialog"]')?.click();
    await panel.openDialog();
    await type('34600000001');
    await press('Enter');
    await waitFor(() => expect(panel.numeros()).to.have.length(COUNT + 1));
    expect(first.isConnected).to.equal(true);
    document.documentElement.scrollTop = 0;
  });

  it('have their codes drawn only near the screen, also after scrolling', async () => {
    const { gateway, panel } = await openPanel({ sessions: seeds('qr') });
    const cards = panel.root.querySelectorAll('article');
    expect(cards).to.have.length(COUNT);
    await waitFor(() => expect(drawn(panel)).to.be.above(0));
    expect(drawn(panel)).to.be.lessThan(40);

    const last = cards[COUNT - 1];
    last?.scrollIntoView();
    await waitFor(async () => {
      const code = existing(last?.querySelector('svg[role="img"]'));
      const text = (await decodeQr(code))?.text;
      // It is replaced after a minute.
      expect(text).to.equal(await gateway.phone(numeroOf(COUNT - 1)).code());
    });
    await waitFor(() => expect(drawn(panel)).to.be.below(40));
    document.documentElement.scrollTop = 0;
  });

  it('change in one card for one push', async () => {
    const { gateway, panel } = await openPanel({ sessions: seeds('connected') });
    const card = panel.root.querySelectorAll('article')[1];
    const changed = new Set<Element | null>();
    const observer = new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        changed.add(element);
      }
    });
    observer.observe(panel.root, { subtree: true, childList: true, attributes: true, characterData: true });
    await gateway.push('session:change_state', { numero: numeroOf(1), state: 'OPENING' });
    await waitFor(() => expect(card?.textContent).to.include('OPENING'));
    observer.disconnect();
    // The counts above the cards and the announcement change too.
    const others = [...changed].filter(
      (element) => !element || !(card?.contains(element) || element.closest('.bar, [role="status"]')),
    );
    expect(others.map((element) => element?.outerHTML)).to.deep.equal([]);
  });
});
