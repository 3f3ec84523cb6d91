import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { holdClipboard, pasted } from '../support/clipboard.ts';
import { consoleErrors } from '../support/console.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { click, fill, press, type } from '../support/input.ts';
import { existing, mountReady, type Panel } from '../support/panel.ts';
import { resize } from '../support/viewport.ts';

const numeroOf = (index: number) => String(5491155550000 + index);
const COUNT = 60;
const DOWN = [3, 11, 19, 27, 35].map(numeroOf);
const WITH_CODE = numeroOf(4);
const start = (numero: string) => `/api/session/levanta/${numero}`;

async function startsOf(gateway: Gateway): Promise<string[]> {
  const requests = await gateway.requests('GET');
  return requests.flatMap(({ path }) => (path.startsWith(start('')) ? (path.split('/').at(-1) ?? []) : []));
}

/** The pill with what can be done to the selected sessions, or how far a run is. */
const pill = (panel: Panel) => panel.root.querySelector<HTMLElement>('.bulk');

/** The close button of the run: each notice has one of the same name. */
const closeButton = (panel: Panel) => panel.button('Cerrar', existing(pill(panel)));

const tick = (panel: Panel, index: number) => panel.get('checkbox', `Seleccionar ${numeroOf(index)}`);

describe('a bulk start', () => {
  let gateway: Gateway;
  let panel: Panel;

  beforeEach(async () => {
    gateway = await startGateway({
      extensions: [],
      sessions: Array.from({ length: COUNT }, (_, index) => {
        const numero = numeroOf(index);
        if (numero === WITH_CODE) return { numero, state: 'qr' as const };
        return { numero, state: DOWN.includes(numero) ? ('disconnected' as const) : ('connected' as const) };
      }),
    });
    panel = await mountReady(gateway, { 'notification-timeout': '0' });
  });

  async function selectRestartable(): Promise<void> {
    await click(tick(panel, 0));
    await click(panel.button('Las que hay que levantar (5)'));
  }

  /** Keeps the sessions that are started without a code, which comes a second later otherwise. */
  async function holdCodes(): Promise<void> {
    for (const numero of DOWN) await gateway.phone(numero).setFault('no-code');
  }

  async function startRestartable(): Promise<void> {
    await selectRestartable();
    await click(panel.button('Levantar (5)'));
  }

  it('has a check box on each card, and says what can be done only while one is ticked', async () => {
    expect(panel.all('checkbox')).to.have.length(panel.all('button', 'Eliminar Sesión').length);
    expect(panel.get('checkbox', `Seleccionar ${numeroOf(0)}`, await panel.card(numeroOf(0)))).to.exist;
    expect(pill(panel)).to.equal(null);
    await click(tick(panel, 0));
    expect(panel.button('Levantar (1)').hasAttribute('aria-disabled')).to.equal(false);
    await click(tick(panel, 0));
    expect(pill(panel)).to.equal(null);
  });

  it('floats over the end of the list, moves nothing, and at the end stands below it', async () => {
    for (const [width, height] of [
      [1280, 800],
      [640, 400],
      [360, 740],
      [320, 640],
    ] as const) {
      await resize(panel, width, height);
      const first = await panel.card(numeroOf(0));
      scrollTo(0, 0);
      const { top } = first.getBoundingClientRect();
      tick(panel, 0).click();
      const box = () => existing(pill(panel)).getBoundingClientRect();
      await waitFor(() => expect(box().bottom).to.be.within(innerHeight - 17, innerHeight));
      expect(first.getBoundingClientRect().top).to.equal(top);
      expect(box().height, `at ${width}`).to.be.at.most(width < 640 ? 150 : 60);
      // Outlines get their height when they come near the screen.
      await waitFor(() => {
        scrollTo(0, document.documentElement.scrollHeight);
        expect(box().top).to.be.at.least(panel.all('article').at(-1)?.getBoundingClientRect().bottom ?? 0);
      });
      await press('Escape');
      await click(panel.button('Quitar selección'));
    }
  });

  it('starts the restartable sessions, three at a time, and leaves them ticked', async () => {
    await holdCodes();
    const answer = await gateway.hold({ method: 'GET', path: start('*') });
    await selectRestartable();
    // The session with a code is not among them.
    expect(panel.text).to.include('5 seleccionadas');
    await click(panel.button('Levantar (5)'));
    expect(panel.text).to.include('Levantando 0 de 5');
    await waitFor(async () => expect(await startsOf(gateway)).to.have.length(3));
    await answer();
    await waitFor(() => expect(panel.text).to.include('Levantadas: 5 de 5'));
    expect((await startsOf(gateway)).toSorted()).to.deep.equal(DOWN);
    for (const numero of DOWN) {
      const { textContent } = await panel.card(numero);
      expect(textContent).to.include('El servidor está preparando el código.');
    }
    // Each had its notice, in the place of the one before.
    expect(panel.notices()).to.have.length(1);
    expect(panel.notices()[0]).to.match(/^La sesión de \d+ comenzará a levantarse$/);
    await click(closeButton(panel));
    expect(panel.text).not.to.include('Levantadas');
    expect(panel.text).to.include('5 seleccionadas');
  });

  it('says how many failed; their cards say why, and offer to try again', async () => {
    consoleErrors();
    await holdCodes();
    const failing = DOWN.slice(0, 2);
    for (const numero of failing) {
      await gateway.answer(
        { method: 'GET', path: start(numero), times: 1 },
        { status: 503, json: { message: 'no queda memoria' } },
      );
    }
    await startRestartable();
    await waitFor(() => expect(pill(panel)?.textContent).to.include('Levantadas: 3 de 5 2 fallaron'));
    expect(panel.notices()).to.have.length(1);
    const other = await panel.card(failing[1] ?? '');
    expect(other.textContent).to.include('no queda memoria');
    const card = await panel.card(failing[0] ?? '');
    expect(card.textContent).to.include('no queda memoria');
    await click(panel.button('Levantar Sesión', card));
    await waitFor(() => expect(card.textContent).to.include('El servidor está preparando el código.'));
  });

  it('stops: pending starts end, and no more are sent', async () => {
    const answer = await gateway.hold({ method: 'GET', path: start('*') });
    await startRestartable();
    await waitFor(async () => expect(await startsOf(gateway)).to.have.length(3));
    await click(panel.button('Detener'));
    expect(panel.text).to.include('Levantadas: 0 de 5, 5 pendientes');
    await answer();
    await waitFor(() => expect(panel.text).to.include('Levantadas: 3 de 5, 2 pendientes'));
    expect(await startsOf(gateway)).to.have.length(3);
    // The focus moves from the button, which is gone.
    expect(panel.focused?.textContent).to.include('Levantadas: 3 de 5');
  });

  it('is shown to its end, however few sessions are left', async () => {
    const answer = await gateway.hold({ method: 'GET', path: start('*') });
    await startRestartable();
    await waitFor(async () => expect(await startsOf(gateway)).to.have.length(3));
    const list = { method: 'GET', path: '/api/session/sessions', times: 1 };
    for (const left of [DOWN, [], DOWN]) {
      await gateway.answer(list, {
        json: left.map((numero) => ({ numero, state: 'DESCONECTADO', waiting: false })),
      });
      await panel.element.refresh();
      await waitFor(() => expect(panel.numeros()).to.have.length(left.length));
      expect(panel.text).to.include('Levantando 0 de 5');
      expect(panel.button('Detener')).to.exist;
    }
    await answer();
    await waitFor(() => expect(panel.text).to.include('Levantadas: 5 de 5'));
  });

  it('leaves room for a whole numero beside the check box at 320 pixels', async () => {
    await resize(panel, 320, 700);
    const title = panel.get('heading', numeroOf(0));
    title.scrollIntoView({ block: 'center' });
    await waitFor(() => expect(title.getBoundingClientRect().height).to.be.above(0));
    expect(title.getBoundingClientRect().height).to.be.below(40);
  });

  it('deselects deleted sessions, leaves out those that are filtered out, and selects the visible ones', async () => {
    await selectRestartable();
    const [first = ''] = DOWN;
    await panel.deleteSession(await panel.card(first));
    await waitFor(() => expect(panel.text).to.include('4 seleccionadas'));
    // The notice may cover what is clicked next.
    await click(await panel.find('button', 'Cerrar'));
    await waitFor(() => expect(panel.notices()).to.have.length(0));
    await fill(panel.get('searchbox', 'Buscar') as HTMLInputElement, numeroOf(11));
    await waitFor(() => expect(panel.text).to.include('1 seleccionada'));
    await click(panel.button('Quitar selección'));
    expect(pill(panel)).to.equal(null);
    await fill(panel.get('searchbox', 'Buscar') as HTMLInputElement, '549115555001');
    await waitFor(() => expect(panel.text).to.include(`10 de ${COUNT - 1} sesiones`));
    await click(await panel.find('checkbox', `Seleccionar ${numeroOf(10)}`));
    await click(panel.button('Las 10 visibles'));
    expect(panel.text).to.include('10 seleccionadas');
  });

  it('works by keyboard, and never offers to delete', async () => {
    tick(panel, 1).focus();
    await press(' ');
    panel.button('Las que hay que levantar (5)').focus();
    await press('Enter');
    expect(panel.text).to.include('5 seleccionadas');
    await press('Escape');
    expect(pill(panel)).to.equal(null);
    expect(panel.focused?.closest('article')).to.equal(await panel.card(DOWN[0] ?? ''));
    tick(panel, 1).focus();
    await press(' ', 'Escape');
    expect(pill(panel)).to.equal(null);
    expect(panel.focused).to.equal(tick(panel, 1));
    await press(' ');
    expect(panel.text).to.include('1 seleccionada');
    const cards = panel.all('button', 'Eliminar Sesión');
    expect(panel.all('button', /Eliminar/)).to.deep.equal(cards);
    expect(cards).not.to.deep.equal([]);
    panel.button('Levantar (1)').focus();
    await press('Enter');
    await waitFor(async () => expect(await startsOf(gateway)).to.deep.equal([numeroOf(1)]));
  });
});

describe('many sessions', () => {
  const NAMED = numeroOf(1);
  let gateway: Gateway;
  let panel: Panel;

  beforeEach(async () => {
    gateway = await startGateway({
      extensions: ['details', 'label', 'link'],
      sessions: Array.from({ length: 12 }, (_, index) => ({
        numero: numeroOf(index),
        state: index < 3 ? ('disconnected' as const) : ('connected' as const),
      })),
    });
    panel = await mountReady(gateway, { 'notification-timeout': '0' });
    await gateway.push(`session:details:${NAMED}`, { label: 'Cobranzas' });
  });

  it('are put into a group', async () => {
    for (const index of [0, 1]) {
      await gateway.answer(
        { method: 'PUT', path: `/api/session/${numeroOf(index)}/details` },
        { json: { label: index === 1 ? 'Cobranzas' : null, group: 'Norte' } },
      );
    }
    for (const index of [0, 1]) await click(tick(panel, index));
    await click(panel.button('Agrupar…'));
    await press('Escape');
    await click(panel.button('Agrupar…'));
    await type('Norte');
    await click(panel.button('Agrupar (2)'));
    await waitFor(() => expect(panel.text).to.include('Agrupadas: 2 de 2'));
    for (const index of [0, 1])
      await waitFor(async () => expect((await panel.card(numeroOf(index))).textContent).to.include('Norte'));
    await panel.find('combobox', 'Grupo');
  });

  it('get one link each, in a list to copy; those that are connected get none', async () => {
    for (const index of [0, 1, 2]) {
      await gateway.answer(
        { method: 'POST', path: `/api/session/${numeroOf(index)}/link` },
        {
          json: { id: `${index}`, url: `https://gateway.example/l/#${index}`, expires: Date.now() + 600_000 },
        },
      );
    }
    await click(tick(panel, 3));
    expect(panel.all('button', /^Crear enlaces/)).to.deep.equal([]);
    await click(panel.button('Todas (12)'));
    await click(panel.button('Crear enlaces (3)'));
    await waitFor(() => expect(panel.text).to.include('Enlaces creados: 3 de 3'));
    await holdClipboard();
    await click(panel.button('Copiar'));
    await panel.notice('Copiado');
    expect((await pasted()).split('\n').toSorted()).to.deep.equal([
      `\t${numeroOf(0)}\thttps://gateway.example/l/#0`,
      `\t${numeroOf(2)}\thttps://gateway.example/l/#2`,
      `Cobranzas\t${NAMED}\thttps://gateway.example/l/#1`,
    ]);
  });

  it('are those that the list shows, not what is folded in it', async () => {
    await gateway.push(`session:details:${numeroOf(0)}`, { group: 'Norte' });
    panel.element.setAttribute('view', 'list');
    // Nothing is folded under a hand: first it has its group.
    await panel.find('button', /^Norte/);
    await click(tick(panel, 1));
    await click(await panel.find('button', 'Las 3 visibles'));
    expect(panel.text).to.include('3 seleccionadas');
  });
});
