import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { nextFrame } from '../support/frame.ts';
import { startGateway } from '../support/gateway.ts';
import { click, fill } from '../support/input.ts';
import { mount, openPanel, type Panel } from '../support/panel.ts';
import { resize } from '../support/viewport.ts';

const sessions = Array.from({ length: 40 }, (_, index) => ({
  numero: String(5491155550000 + index),
  state: 'connected' as const,
}));

const LIST = { method: 'GET', path: '/api/session/sessions' };

/** A part of the panel, by its name. */
const part = (panel: Panel, name: string) => panel.root.querySelector(`[part="${name}"]`) as HTMLElement;
const box = (element: Element) => element.getBoundingClientRect();

const whole = (panel: Panel) => panel.get('region', 'Administrador de Whatsapp Operadores');

/** Opens a panel of many sessions whose element the page gives this style. */
async function openIn(css: string, attributes?: Record<string, string>): Promise<Panel> {
  const { panel } = await openPanel({ sessions }, attributes);
  panel.element.style.cssText = css;
  await nextFrame();
  return panel;
}

describe('the box of the element', () => {
  it('has padding, border and margin around the panel, inside its width and height', async () => {
    const panel = await openIn(
      'box-sizing: border-box; width: 700px; height: 500px; margin: 10px; padding: 24px; border: 4px solid; overflow: auto',
    );
    const outer = box(panel.element);
    const inner = box(whole(panel));
    expect([outer.width, outer.height]).to.deep.equal([700, 500]);
    expect([inner.x - outer.x, inner.y - outer.y, inner.width, inner.height]).to.deep.equal([
      28, 28, 644, 444,
    ]);
  });

  it('of a definite height scrolls between header and footer, which stay', async () => {
    const panel = await openIn('height: 500px; margin-top: 200px; overflow: auto');
    const host = box(panel.element);
    const main = part(panel, 'main');
    main.scrollTop = 3000;
    await nextFrame();
    expect(main.scrollTop).to.equal(3000);
    expect(box(part(panel, 'header')).top).to.equal(host.top);
    expect(box(part(panel, 'footer')).bottom).to.equal(host.bottom);
    expect(box(part(panel, 'bar')).top).to.equal(box(main).top);
    expect(panel.element.scrollTop).to.equal(0);
  });

  for (const css of ['max-height: 500px', 'min-height: 500px; height: 0'])
    it(`of ${css} does too`, async () => {
      const panel = await openIn(`${css}; overflow: auto`);
      expect(box(panel.element).height).to.equal(500);
      expect(box(part(panel, 'footer')).bottom).to.equal(box(panel.element).bottom);
    });

  it('has nothing to scroll beside the list', async () => {
    const panel = await openIn('height: 400px; overflow: auto');
    await panel.settled();
    expect(
      [panel.element, whole(panel)].map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight),
    ).to.deep.equal([0, 0]);
  });

  it('is filled by a panel of few sessions', async () => {
    const { panel } = await openPanel({ sessions: [] });
    panel.element.style.cssText = 'min-height: 900px';
    expect(box(part(panel, 'footer')).bottom).to.equal(box(panel.element).top + 900);
  });

  for (const css of [
    'display: flex; justify-content: center; align-items: center',
    'display: grid; place-items: center',
    'display: grid; grid-template: "a b" 1fr "c d" 1fr / 1fr 1fr',
  ])
    it(`is filled although a page makes it a layout of its own: ${css}`, async () => {
      const panel = await openIn(`${css}; height: 500px; overflow: auto`);
      expect(box(whole(panel))).to.deep.equal(box(panel.element));
    });

  it('makes the cards whole that are scrolled near its own screen', async () => {
    const panel = await openIn('height: 500px; overflow: auto');
    const main = part(panel, 'main');
    const last = () => panel.all('article').at(-1) as HTMLElement;
    expect(last().dataset.outline).to.equal('true');
    await waitFor(() => {
      main.scrollTop = main.scrollHeight;
      expect(last().dataset.outline).to.equal(undefined);
    });
  });

  it('scrolls back to the beginning of a list that is filtered', async () => {
    const panel = await openIn('height: 500px; margin-top: 200px; overflow: auto', { view: 'list' });
    const main = part(panel, 'main');
    main.scrollTop = 150;
    await fill(panel.get('searchbox', 'Buscar') as HTMLInputElement, 'CONNECTED');
    await waitFor(() => expect(box(part(panel, 'grid')).top).to.be.at.least(box(part(panel, 'bar')).bottom));
  });

  it('scrolls a menu with its button', async () => {
    const panel = await openIn('height: 500px; overflow: auto');
    const button = panel.all('button', /^Más acciones/)[0] as HTMLElement;
    await click(button);
    const menu = await panel.find('menu');
    const distance = () => box(menu).top - box(button).top;
    // It comes in with a small motion.
    await Promise.all(menu.getAnimations().map(({ finished }) => finished));
    const before = distance();
    part(panel, 'main').scrollTop += 40;
    await waitFor(() => expect(distance()).to.equal(before));
  });

  it('without overflow is overflowed by the whole panel, as by any content', async () => {
    const panel = await openIn('height: 500px');
    expect(box(panel.element).height).to.equal(500);
    const inner = box(whole(panel));
    expect(inner.height).to.be.above(5000);
    expect(box(part(panel, 'footer')).bottom).to.equal(inner.bottom);
  });

  it('has the overlay of its list inside its padding, and below its header', async () => {
    const gateway = await startGateway({ sessions });
    const release = await gateway.hold(LIST);
    const panel = await mount(gateway);
    panel.element.style.cssText = 'height: 400px; padding: 24px; border: 4px solid; overflow: auto';
    const spinner = await panel.find('progressbar');
    expect(box(spinner.parentElement as HTMLElement)).to.deep.equal(box(part(panel, 'main')));
    expect(box(part(panel, 'main')).top).to.equal(box(part(panel, 'header')).bottom);
    expect(box(whole(panel)).height).to.equal(400);
    await release();
  });

  it('leaves the bar below the header of a page that scrolls', async () => {
    const panel = await openIn('border: 4px solid; border-radius: 16px; overflow: clip');
    await resize(panel, 1000, 600);
    scrollTo(0, 3000);
    await nextFrame();
    expect(box(part(panel, 'bar')).top).to.equal(0);
  });
});
