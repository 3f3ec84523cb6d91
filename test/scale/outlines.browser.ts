import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { executeServerCommand } from '@web/test-runner-commands';
import { expect } from 'chai';
import type { AccessibleNode } from '../support/accessibility-plugin.ts';
import { nextFrame } from '../support/frame.ts';
import { click, fill, press, type } from '../support/input.ts';
import { emulate } from '../support/media.ts';
import { existing, openPanel, type Panel } from '../support/panel.ts';
import { resize } from '../support/viewport.ts';

const numeroOf = (index: number) => String(5491155550000 + index);
const seeds = (count: number): { numero: string; state: 'connected' | 'qr' }[] =>
  Array.from({ length: count }, (_, index) => ({ numero: numeroOf(index), state: 'connected' }));

const isChromium = navigator.userAgent.includes('Chrome');

/** Whether a card is an outline: its words, and one button for Tab; neither fields nor, in a row, a time. */
const isOutline = (card: Element) => card.querySelector('input, time') === null;

const cardAt = (panel: Panel, index: number): HTMLElement =>
  existing(panel.root.querySelector<HTMLElement>(`[data-numero="${numeroOf(index)}"]`));

/** How many lines the numero of a card takes, whose groups stand beside each other. */
function linesOf(card: Element): number {
  const range = document.createRange();
  range.selectNodeContents(existing(card.querySelector('.numero, [data-outline] h3')));
  return new Set(Array.from(range.getClientRects(), ({ bottom }) => Math.round(bottom))).size;
}

async function scrollTo(card: Element): Promise<void> {
  card.scrollIntoView({ block: 'center' });
  await waitFor(() => expect(isOutline(card)).to.equal(false));
}

afterEach(() => {
  document.documentElement.scrollTop = 0;
});

for (const view of ['cards', 'list']) {
  describe(`a session far from the screen, as ${view}`, () => {
    it('is an outline until it comes near', async () => {
      const { panel } = await openPanel({ sessions: seeds(100) }, { view });
      const last = cardAt(panel, 99);
      await waitFor(() => expect(isOutline(last)).to.equal(true));
      expect(isOutline(cardAt(panel, 0))).to.equal(false);
      await scrollTo(last);
      await waitFor(() => expect(isOutline(cardAt(panel, 0))).to.equal(true));
    });

    it('has its words, as the server changes them', async () => {
      const { gateway, panel } = await openPanel({ sessions: seeds(100) }, { view, order: 'server' });
      await gateway.push('session:change_state', { numero: numeroOf(99), state: 'CONFLICT' });
      const last = cardAt(panel, 99);
      await waitFor(() => {
        expect(last.textContent).to.include(numeroOf(99));
        expect(last.textContent).to.include('CONFLICT');
        expect(last.textContent).to.include('Está abierta en otro WhatsApp Web.');
      });
      expect(isOutline(last)).to.equal(true);
    });

    it('is entered at its end from below, and at its beginning from above', async () => {
      const { panel } = await openPanel({ sessions: seeds(100) }, { view });
      const card = cardAt(panel, 50);
      const focusOutline = async (from: number) => {
        cardAt(panel, from).querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
        await nextFrame();
        // The browser moves on by Tab to the next control: the one of an outline, or of what has become whole since.
        const controls = card.querySelectorAll<HTMLElement>('button, input');
        existing([...controls].at(from < 50 ? 0 : -1)).focus({ preventScroll: true });
      };
      await focusOutline(51);
      const controls = () => [...card.querySelectorAll<HTMLElement>('button, input')];
      await waitFor(() => expect(panel.focused).to.equal(controls().at(-1)));
      cardAt(panel, 0).querySelector<HTMLElement>('button')?.focus();
      await waitFor(() => expect(isOutline(card)).to.equal(true));
      await focusOutline(49);
      await waitFor(() => expect(panel.focused).to.equal(controls()[0]));
    });

    it('keeps its inside while it has the focus', async () => {
      const { panel } = await openPanel({ sessions: seeds(100) }, { view });
      const first = cardAt(panel, 0);
      first.querySelector<HTMLElement>('button')?.focus();
      await scrollTo(cardAt(panel, 99));
      await waitFor(() => expect(isOutline(cardAt(panel, 1))).to.equal(true));
      expect(isOutline(first)).to.equal(false);
      cardAt(panel, 99).querySelector<HTMLElement>('button')?.focus();
      await waitFor(() => expect(isOutline(first)).to.equal(true));
    });
  });
}

describe('cards that become outlines', () => {
  it('move nothing', async () => {
    const { panel } = await openPanel({ sessions: seeds(100) });
    await scrollTo(cardAt(panel, 10));
    const height = panel.element.offsetHeight;
    await scrollTo(cardAt(panel, 99));
    await waitFor(() => expect(isOutline(cardAt(panel, 10))).to.equal(true));
    document.documentElement.scrollTop = 0;
    await waitFor(() => expect(isOutline(cardAt(panel, 0))).to.equal(false));
    expect(panel.element.offsetHeight).to.be.closeTo(height, height / 20);
  });

  it('keep what is typed, however far it is scrolled, and what is filtered', async () => {
    const { panel } = await openPanel({ sessions: seeds(100) });
    await fill(panel.textbox('Mensaje de Prueba', cardAt(panel, 0)), 'Hola');
    await click(panel.get('searchbox'));
    await type('0099');
    await waitFor(() => expect(panel.all('article')).to.have.length(1));
    await press('Backspace', 'Backspace', 'Backspace', 'Backspace');
    await waitFor(() => expect(panel.root.querySelectorAll('article:not([hidden])')).to.have.length(100));
    await scrollTo(cardAt(panel, 99));
    await scrollTo(cardAt(panel, 0));
    expect(panel.textbox('Mensaje de Prueba', cardAt(panel, 0)).value).to.equal('Hola');
  });

  it('are outlines again once what was typed is gone or sent, and keep it when it was sent', async () => {
    const { panel } = await openPanel({ sessions: seeds(100), extensions: [] });
    const message = (index: number) => panel.textbox('Mensaje de Prueba', cardAt(panel, index));
    await fill(message(0), 'Hola');
    await fill(message(0), '');
    await fill(message(1), 'Hola');
    await fill(panel.textbox('Número', cardAt(panel, 1)), '5215550002222');
    await press('Enter');
    await panel.notice('Mensaje enviado a 5215550002222');
    await scrollTo(cardAt(panel, 99));
    message(99).focus({ preventScroll: true });
    await waitFor(() =>
      expect([0, 1].map((index) => isOutline(cardAt(panel, index)))).to.deep.equal([true, true]),
    );
    await scrollTo(cardAt(panel, 1));
    expect(message(1).value).to.equal('Hola');
    expect(cardAt(panel, 1).textContent).to.include('Aceptado por el servidor a las');
  });

  it('forget what was typed with the session', async () => {
    const { gateway, panel } = await openPanel({ sessions: seeds(2) });
    await fill(panel.textbox('Mensaje de Prueba', cardAt(panel, 0)), 'Hola');
    await gateway.push('session:deleted', { numero: numeroOf(0) });
    await waitFor(() => expect(panel.numeros()).to.deep.equal([numeroOf(1)]));
    await panel.element.refresh();
    const again = await panel.card(numeroOf(0));
    expect(panel.textbox('Mensaje de Prueba', again).value).to.equal('');
  });
});

describe('a thousand sessions', () => {
  it('have every numero, name, state and advice in the accessibility tree', async function () {
    if (!isChromium) this.skip();
    const sessions = seeds(1000).map(({ numero }, index) => {
      if (index % 2 === 0)
        return {
          seed: { numero, state: 'connected' as const },
          words: ['CONNECTED', 'Conectada: envía y recibe mensajes.'],
        };
      const advice = 'Está desconectada de WhatsApp. Levántala para volver a usarla.';
      return { seed: { numero, state: 'disconnected' as const }, words: ['DESCONECTADO', advice] };
    });
    const { panel } = await openPanel({ sessions: sessions.map(({ seed }) => seed) });
    const labelOf = (numero: string) => `Sucursal ${Number(numero) % 1000}`;
    panel.element.labels = Object.fromEntries(
      sessions.map(({ seed: { numero } }) => [numero, { label: labelOf(numero) }]),
    );
    // Those near the screen change with a frame, and the others by a timer.
    await waitFor(() => {
      const titles = Array.from(panel.root.querySelectorAll('article h3'), ({ textContent }) => textContent);
      expect(titles.filter((title) => !title.startsWith('Sucursal '))).to.deep.equal([]);
    });
    const nodes = await executeServerCommand<readonly AccessibleNode[], undefined>('accessibility-tree');
    const textsByArticle = new Map<string, string[]>();
    for (const { role, name } of nodes) if (role === 'article') textsByArticle.set(name, []);
    for (const { role, name, article = '' } of nodes)
      if (role === 'StaticText') textsByArticle.get(article)?.push(name.trim());
    const articles = [...textsByArticle];
    const incomplete = sessions.filter(({ seed: { numero }, words }) => {
      const isIts = ([name]: (typeof articles)[number]) =>
        name.startsWith(labelOf(numero)) && name.endsWith(numero);
      const [, texts = []] = articles.find(isIts) ?? [];
      return !words.every((word) => texts.includes(word));
    });
    expect(incomplete.map(({ seed }) => seed.numero)).to.deep.equal([]);
  });

  it('are printed as words', async function () {
    if (!isChromium) this.skip();
    const { panel } = await openPanel({ sessions: seeds(60) });
    await emulate({ type: 'print' });
    // Two columns, as on A4.
    await resize(panel, 718, 800);
    for (const index of [0, 59]) {
      const card = cardAt(panel, index);
      expect(card.innerText).to.include(numeroOf(index));
      expect(card.innerText).to.include('Conectada: envía y recibe mensajes.');
      expect(card.offsetHeight).to.be.below(200);
      expect(linesOf(card), `lines of ${numeroOf(index)}`).to.equal(1);
      expect(panel.all('textbox', 'Mensaje de Prueba', card)).to.deep.equal([]);
    }
  });
});

describe('the focus', () => {
  it('stays in the menu of a card that is scrolled away from, and the page where it is scrolled to', async () => {
    const { panel } = await openPanel({ sessions: seeds(100) });
    await click(panel.button(`Más acciones de ${numeroOf(0)}`));
    const menu = await panel.find('menu');
    await waitFor(() => expect(menu.contains(panel.focused)).to.equal(true));
    document.documentElement.scrollTop = cardAt(panel, 50).offsetTop;
    const { scrollTop } = document.documentElement;
    await waitFor(() => expect(isOutline(cardAt(panel, 3))).to.equal(true));
    expect(menu.contains(panel.focused)).to.equal(true);
    expect(document.documentElement.scrollTop).to.be.closeTo(scrollTop, 100);
  });

  it('returns to a row that was scrolled away from, after a dialog', async () => {
    const sessions = seeds(100).with(2, { numero: numeroOf(2), state: 'qr' });
    const { panel } = await openPanel({ sessions }, { view: 'list' });
    const control = await panel.find('button', 'Ver código', cardAt(panel, 2));
    control.focus();
    await scrollTo(cardAt(panel, 90));
    await press('Enter');
    await panel.openDialog();
    await nextFrame();
    await press('Escape');
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    expect(panel.focused).to.equal(control);
  });

  it('moves to the next session when its session is deleted, and the page stays where it is', async () => {
    const { gateway, panel } = await openPanel({ sessions: seeds(100) }, { view: 'list' });
    const card = cardAt(panel, 50);
    await scrollTo(card);
    existing(card.querySelector<HTMLElement>('button')).focus();
    const { scrollTop } = document.documentElement;
    await fetch(`${gateway.url}/api/session/${numeroOf(50)}`, { method: 'DELETE' });
    await waitFor(() => expect(card.isConnected).to.equal(false));
    expect(panel.focused?.closest('article')).to.equal(cardAt(panel, 51));
    expect(document.documentElement.scrollTop).to.be.closeTo(scrollTop, 60);
  });

  it('moves to the next session that stays when several go together', async () => {
    const { gateway, panel } = await openPanel({ sessions: seeds(20) });
    panel.textbox('Mensaje de Prueba', cardAt(panel, 3)).focus();
    const gone = [3, 4, 5].map(numeroOf);
    await gateway.answer(
      { method: 'GET', path: '/api/session/sessions' },
      {
        json: seeds(20).flatMap(({ numero }) =>
          gone.includes(numero) ? [] : { numero, state: 'CONNECTED', waiting: false },
        ),
      },
    );
    await panel.element.refresh();
    await waitFor(() => expect(panel.focused?.closest('article')).to.equal(cardAt(panel, 6)));
  });

  it('stays in the page that has it when a session goes that had it before', async () => {
    const { gateway, panel } = await openPanel({ sessions: seeds(2) });
    const field = document.createElement('input');
    document.body.append(field);
    const card = cardAt(panel, 0);
    panel.textbox('Mensaje de Prueba', card).focus();
    field.focus();
    await fetch(`${gateway.url}/api/session/${numeroOf(0)}`, { method: 'DELETE' });
    await waitFor(() => expect(card.isConnected).to.equal(false));
    expect(document.activeElement).to.equal(field);
    field.blur();
    await fetch(`${gateway.url}/api/session/${numeroOf(1)}`, { method: 'DELETE' });
    await waitFor(() => expect(panel.all('article')).to.deep.equal([]));
    expect(panel.focused).to.equal(null);
    field.remove();
  });

  it('stays in the card when the panel becomes read-only', async () => {
    const { panel } = await openPanel({ sessions: seeds(2) });
    panel.textbox('Mensaje de Prueba', cardAt(panel, 1)).focus();
    panel.element.readOnly = true;
    await waitFor(() => expect(panel.all('textbox')).to.deep.equal([]));
    expect(panel.focused?.closest('article')).to.equal(cardAt(panel, 1));
  });
});

describe('a card that fails to render', () => {
  /** Opens a panel whose first card fails. */
  async function openFailing(count: number) {
    const { gateway, panel } = await openPanel({ sessions: seeds(count) });
    const errors: string[] = [];
    panel.element.addEventListener('wo-error', ({ detail }) => errors.push(detail.action));
    const since = Date.UTC(2001, 0);
    const { toISOString } = Date.prototype;
    Date.prototype.toISOString = function () {
      if (this.getFullYear() <= 2001) throw new Error('broken');
      return toISOString.call(this);
    };
    try {
      await gateway.push(`session:details:${numeroOf(0)}`, { since });
      await waitFor(() => panel.get('alert', undefined, cardAt(panel, 0)));
    } finally {
      Date.prototype.toISOString = toISOString;
    }
    return { panel, errors };
  }

  it('says so in its place, and the others stay', async () => {
    const { panel, errors } = await openFailing(2);
    expect(cardAt(panel, 0).textContent).to.include('Esta sesión no se puede mostrar');
    expect(errors).to.include('render');
    expect(panel.button('Enviar Mensaje', cardAt(panel, 1)).isConnected).to.equal(true);
    await click(panel.button('Reintentar', cardAt(panel, 0)));
    await waitFor(() => expect(cardAt(panel, 0).textContent).to.include('CONNECTED'));
  });

  it('is left out by a filter, as the others are', async () => {
    const { panel } = await openFailing(12);
    panel.get('searchbox').focus();
    await type(numeroOf(1));
    await panel.lists([numeroOf(1)]);
  });
});
