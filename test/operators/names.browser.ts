import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import type { WireNaming } from '../../src/wire.ts';
import { isWebKit } from '../support/browser.ts';
import { consoleErrors } from '../support/console.ts';
import { nextFrame } from '../support/frame.ts';
import type { Gateway } from '../support/gateway.ts';
import { click, fill, hover, press, type } from '../support/input.ts';
import { existing, openPanel, type Panel } from '../support/panel.ts';
import { resize } from '../support/viewport.ts';

const numeroOf = (index: number) => String(5491155550000 + index);
const DETAILS = { method: 'PUT', path: '/api/session/*/details' };
const LONGEST = 'Cobranza y facturación de toda la zona metropolitana (norte)';

/** Disconnected ones have no account, and so no name of their own. */
function sessions(count: number, down: readonly number[] = []) {
  return Array.from({ length: count }, (_, index) => ({
    numero: numeroOf(index),
    state: down.includes(index) ? ('disconnected' as const) : ('connected' as const),
  }));
}

/** Names a session as another panel does. */
async function name(gateway: Gateway, index: number, naming: WireNaming): Promise<void> {
  const { ok } = await fetch(`${gateway.url}/api/session/${numeroOf(index)}/details`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(naming),
  });
  expect(ok).to.equal(true);
}

/** What was sent to name sessions. */
async function sent(gateway: Gateway): Promise<unknown[]> {
  return (await gateway.requests('PUT')).map(({ body }) => body);
}

const titleOf = async (panel: Panel, index: number) =>
  existing((await panel.card(numeroOf(index))).querySelector<HTMLElement>('h3'));
const more = (panel: Panel, index: number) => panel.find('button', `Más acciones de ${numeroOf(index)}`);

/** Opens 'Nombre y grupo' of a card or an open row by keyboard; returns its fields. */
async function edit(panel: Panel, index: number) {
  (await more(panel, index)).focus();
  await press('Enter');
  await waitFor(() => expect(panel.focused?.textContent).to.equal('Nombre y grupo'));
  await press('Enter');
  const card = await panel.card(numeroOf(index));
  const label = await waitFor(() => panel.textbox('Nombre', card));
  await waitFor(() => expect(panel.focused).to.equal(label));
  const group = panel.get('combobox', 'Grupo', card) as HTMLInputElement;
  return { card, label, group };
}

describe('a session with a name', () => {
  it('shows it first, then the name of its account, and always its numero', async () => {
    const { gateway, panel } = await openPanel({ sessions: sessions(3, [1, 2]) });
    await waitFor(async () =>
      expect((await titleOf(panel, 0)).innerText.trim()).to.match(/^.+\s5491155550000$/),
    );
    const account = (await titleOf(panel, 0)).innerText.split('\n')[0];
    await name(gateway, 0, { label: 'Recepción' });
    await name(gateway, 1, { label: 'Cobranza' });
    await waitFor(async () =>
      expect((await titleOf(panel, 0)).innerText.trim().split(/\n+/)).to.deep.equal([
        'Recepción',
        account,
        numeroOf(0),
      ]),
    );
    await panel.find('article', `Recepción ${account} ${numeroOf(0)}`);
    await panel.find('article', `Cobranza ${numeroOf(1)}`);
    await panel.find('article', numeroOf(2));
  });

  it('is as high as any other row, and no wider than the screen, however long the name is', async () => {
    const { gateway, panel } = await openPanel(
      { sessions: sessions(3, [1, 2]) },
      { view: 'list', order: 'server' },
    );
    expect(LONGEST).to.have.length(60);
    await name(gateway, 1, { label: LONGEST, group: LONGEST });
    await panel.find('article', `${LONGEST} ${numeroOf(1)}`);
    for (const width of [1280, 1000, 700, 320]) {
      await resize(panel, width, 800);
      const heights = await Promise.all(
        [0, 1, 2].map(async (index) => (await panel.card(numeroOf(index))).offsetHeight),
      );
      // On a phone, the advice is read whole.
      if (width >= 640) expect(new Set(heights).size, `${heights} at ${width}`).to.equal(1);
      expect(document.documentElement.scrollWidth).to.be.at.most(innerWidth);
      const numero = existing((await titleOf(panel, 1)).querySelector('span > span'));
      expect(numero.scrollWidth, `the numero at ${width}`).to.be.at.most(numero.clientWidth);
    }
  });
});

describe("'Nombre y grupo'", () => {
  for (const view of ['cards', 'list'] as const) {
    it(`names a session by keyboard in place: ${view}`, async () => {
      const { gateway, panel } = await openPanel({ sessions: sessions(3, [0, 1, 2]) }, { view });
      await name(gateway, 2, { group: 'Sucursales' });
      if (view === 'list') {
        await panel.find('heading', 'Sucursales 1 sesión 1 requiere atención');
        await click(panel.button(`Abrir ${numeroOf(1)}`));
      }
      const { label, group } = await edit(panel, 1);
      await type('  Ventas ');
      await press('Tab');
      expect(panel.focused).to.equal(group);
      await waitFor(() =>
        expect(Array.from(existing(group.list).options, ({ value }) => value)).to.deep.equal(['Sucursales']),
      );
      await type('Sucursales');
      // In WebKitGTK the first one takes the suggestion.
      await press(...(isWebKit ? ['Enter', 'Enter'] : ['Enter']));
      await panel.find('article', `Ventas ${numeroOf(1)}`);
      const button = await more(panel, 1);
      await waitFor(() => expect(panel.focused).to.equal(button));
      await waitFor(() => expect(label.isConnected).to.equal(false));
      expect((await sent(gateway)).at(-1)).to.deep.equal({ label: 'Ventas', group: 'Sucursales' });
      // Once more: what there is can be replaced at once, or removed.
      const again = await edit(panel, 1);
      expect([again.label.value, again.group.value]).to.deep.equal(['Ventas', 'Sucursales']);
      expect(getSelection()?.toString()).to.equal('Ventas');
      await press('Backspace', 'Enter');
      await panel.find('article', numeroOf(1));
    });
  }

  it('is edited below a closed row, and an arrow leads to the next one', async () => {
    const { panel } = await openPanel(
      { sessions: sessions(3, [0, 1, 2]) },
      { view: 'list', order: 'server' },
    );
    const { label } = await edit(panel, 0);
    expect(label.checkVisibility()).to.equal(true);
    await type('Recepción');
    await press('Enter');
    const button = await more(panel, 0);
    await waitFor(() => expect(panel.focused).to.equal(button));
    // The new name is announced, which may reach the panel after the answer that ends the edit.
    await waitFor(async () => expect((await titleOf(panel, 0)).innerText).to.include('Recepción'));
    await press('ArrowDown');
    expect(panel.focused).to.equal(panel.button(`Abrir ${numeroOf(1)}`));
  });

  it('leaves the names as they were by Escape, and the row open', async () => {
    const { gateway, panel } = await openPanel({ sessions: sessions(3, [0, 1, 2]) }, { view: 'list' });
    // By the keyboard: rows are first drawn as outlines, and move under a mouse as others are drawn.
    await more(panel, 1);
    const toggle = panel.button(`Abrir ${numeroOf(1)}`);
    toggle.focus();
    await press('Enter');
    await waitFor(() => expect(toggle.ariaExpanded).to.equal('true'));
    const { label } = await edit(panel, 1);
    await type('Otra');
    // The arrows are the field's.
    await press('ArrowUp', 'ArrowDown');
    expect(panel.focused).to.equal(label);
    await press('Escape');
    expect(panel.focused).to.equal(await more(panel, 1));
    expect(label.isConnected).to.equal(false);
    expect(panel.button(`Abrir ${numeroOf(1)}`).ariaExpanded).to.equal('true');
    expect((await edit(panel, 1)).label.value).to.equal('');
    await click(panel.button('Cancelar'));
    expect(panel.focused).to.equal(await more(panel, 1));
    expect(await sent(gateway)).to.deep.equal([]);
  });

  it('ends with the session: added again, it is neither edited nor open, and takes no focus', async () => {
    const { gateway, panel } = await openPanel({ sessions: sessions(10, [1]) }, { view: 'list' });
    await click(panel.button(`Abrir ${numeroOf(1)}`));
    await edit(panel, 1);
    await type('Otra');
    const search = panel.get('searchbox');
    await click(search);
    const url = `${gateway.url}/api/session`;
    await fetch(`${url}/${numeroOf(1)}`, { method: 'DELETE' });
    await waitFor(() => expect(panel.numeros()).not.to.include(numeroOf(1)));
    await type('55');
    await fetch(`${url}/levanta/${numeroOf(1)}`);
    const card = await panel.card(numeroOf(1));
    await type('5500');
    await nextFrame();
    expect((search as HTMLInputElement).value).to.equal('555500');
    expect(panel.focused).to.equal(search);
    expect(card.querySelector('form')).to.equal(null);
    expect(panel.button(`Abrir ${numeroOf(1)}`).ariaExpanded).to.equal('false');
  });

  it('keeps what was typed when it fails, and says why beside it', async () => {
    consoleErrors();
    const { gateway, panel } = await openPanel({ sessions: sessions(3, [0, 1, 2]) });
    await gateway.answer(
      { ...DETAILS, times: 1 },
      { status: 503, json: { message: 'Vuelve en un momento.' } },
    );
    const { label, group } = await edit(panel, 1);
    await fill(label, 'Ventas');
    await fill(group, 'Norte');
    await press('Enter');
    await waitFor(() => expect(panel.advice(label)).to.equal('Vuelve en un momento.'));
    expect([label.value, group.value]).to.deep.equal(['Ventas', 'Norte']);
    expect(panel.focused).to.equal(group);
    await press('Enter');
    await panel.find('article', `Ventas ${numeroOf(1)}`);
  });

  it('sends only what is changed, over what another panel does meanwhile, and nothing if that is nothing', async () => {
    const { gateway, panel } = await openPanel({ sessions: sessions(3, [0, 1, 2]) });
    await name(gateway, 1, { label: 'Antes' });
    await panel.find('article', `Antes ${numeroOf(1)}`);
    const { label, group } = await edit(panel, 1);
    await name(gateway, 1, { label: 'De otro panel' });
    await panel.find('article', `De otro panel ${numeroOf(1)}`);
    await fill(group, 'Norte');
    await press('Enter');
    await waitFor(() => expect(label.isConnected).to.equal(false));
    await panel.find('article', `De otro panel ${numeroOf(1)}`);
    const requests = await sent(gateway);
    expect(requests.at(-1)).to.deep.equal({ group: 'Norte' });

    const again = await edit(panel, 1);
    await press('Enter');
    await waitFor(() => expect(again.label.isConnected).to.equal(false));
    expect(panel.focused).to.equal(await more(panel, 1));
    expect(await sent(gateway)).to.deep.equal(requests);
  });

  it('keeps what was typed when cards become rows, and rows cards', async () => {
    const { panel } = await openPanel({ sessions: sessions(3, [0, 1, 2]) }, { view: 'cards' });
    const { label, group } = await edit(panel, 1);
    await type('A medias');
    await fill(group, 'Norte');
    const typed = () => [
      panel.textbox('Nombre').value,
      (panel.get('combobox', 'Grupo') as HTMLInputElement).value,
    ];
    // A card under the operator's hand does not become a row.
    const leave = async () => {
      panel.button('Agregar una nueva sesión').focus();
      await hover(panel.get('heading', 'Sesiones activas'));
    };
    await leave();
    panel.element.setAttribute('view', 'list');
    await click(await panel.find('button', `Abrir ${numeroOf(1)}`));
    expect(typed()).to.deep.equal(['A medias', 'Norte']);
    await click(panel.button(`Abrir ${numeroOf(1)}`));
    expect(label.checkVisibility()).to.equal(true);
    await leave();
    panel.element.setAttribute('view', 'cards');
    await waitFor(() => expect(panel.all('button', /^Abrir/)).to.deep.equal([]));
    expect(typed()).to.deep.equal(['A medias', 'Norte']);
    // Chosen again, it leads to its field.
    await edit(panel, 1);
    await press('Enter');
    await panel.find('article', `A medias ${numeroOf(1)}`);
  });

  it('says what the server says of more than sixty characters, and sends once however long Enter is held', async () => {
    const { gateway, panel } = await openPanel({ sessions: sessions(1, [0]) });
    const { label } = await edit(panel, 0);
    await fill(label, LONGEST);
    await type('x');
    await press('Enter');
    await waitFor(() => expect(panel.advice(label)).to.equal('El nombre tiene más de 60 caracteres.'));
    expect(label.value).to.equal(`${LONGEST}x`);
    await press('Backspace');
    const release = await gateway.hold(DETAILS);
    await press('Enter', 'Enter');
    expect(panel.button('Guardar').ariaDisabled).to.equal('true');
    // What is typed into a form that is about to close would be lost.
    await type('x');
    expect(label.value).to.equal(LONGEST);
    await release();
    await panel.find('article', `${LONGEST} ${numeroOf(0)}`);
    expect(await sent(gateway)).to.have.length(2);
  });

  it('keeps what is typed while the session, its names and the connection change', async () => {
    const { gateway, panel } = await openPanel({ sessions: sessions(3, [0, 1, 2]) });
    const { label } = await edit(panel, 1);
    await type('A medias');
    await name(gateway, 1, { label: 'De otro panel' });
    await gateway.push('session:change_state', { numero: numeroOf(1), state: 'OPENING' });
    await panel.find('article', `De otro panel ${numeroOf(1)}`);
    await gateway.disconnectSockets();
    await panel.element.refresh();
    expect(label.value).to.equal('A medias');
    expect(panel.focused).to.equal(label);
  });

  it('is not offered where the host page names the sessions, which wins', async () => {
    const { gateway, panel } = await openPanel({ sessions: sessions(3, [0, 1, 2]) });
    await name(gateway, 1, { label: 'Del servidor', group: 'Norte' });
    await panel.find('article', `Del servidor ${numeroOf(1)}`);
    panel.element.labels = { [numeroOf(1)]: { label: 'De la página' } };
    await panel.find('article', `De la página ${numeroOf(1)}`);
    await click(await more(panel, 1));
    await panel.find('menuitem', 'Enviar enlace');
    expect(panel.all('menuitem', 'Nombre y grupo')).to.deep.equal([]);
  });
});

describe('the groups', () => {
  const DOWN = [2, 5];
  let gateway: Gateway;
  let panel: Panel;
  beforeEach(async () => {
    ({ gateway, panel } = await openPanel(
      { sessions: sessions(12, DOWN) },
      { view: 'list', order: 'server' },
    ));
    for (const index of [1, 5]) await name(gateway, index, { group: 'Ventas' });
    await name(gateway, 7, { group: 'Árbol' });
    await waitFor(() => expect(headings()).to.have.length(3));
    await waitFor(() => expect(groupSelect().options).to.have.length(4));
  });

  const headings = () =>
    panel
      .all('heading')
      .filter(({ className }) => className === 'section')
      .map(({ innerText }) => innerText.replaceAll(/\s+/g, ' ').trim());
  const groupSelect = () => panel.get('combobox', 'Grupo') as HTMLSelectElement;
  function choose(value: string) {
    const select = groupSelect();
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }

  it('are headings above their rows, which arrows pass, with how many they have and need attention', async () => {
    expect(headings()).to.deep.equal([
      'Árbol 1 sesión',
      'Ventas 2 sesiones 1 requiere atención',
      'Sin grupo 9 sesiones 1 requiere atención',
    ]);
    expect(panel.numeros().slice(0, 4)).to.deep.equal([7, 1, 5, 0].map(numeroOf));
    expect((await titleOf(panel, 7)).ariaLevel).to.equal('4');
    panel.button(`Abrir ${numeroOf(7)}`).focus();
    await press('ArrowDown');
    expect(panel.focused).to.equal(panel.button(`Abrir ${numeroOf(1)}`));
    await press('ArrowUp');
    expect(panel.focused).to.equal(panel.button(`Abrir ${numeroOf(7)}`));
    await gateway.push('session:change_state', { numero: numeroOf(7), state: 'CONFLICT' });
    await waitFor(() => expect(headings()[0]).to.equal('Árbol 1 sesión 1 requiere atención'));
  });

  it('have their count from the first moment', async () => {
    await hover(panel.get('heading', 'Sesiones activas'));
    const seen = new Set<string>();
    const observer = new MutationObserver(() => {
      for (const heading of headings()) seen.add(heading);
    });
    observer.observe(panel.root, { subtree: true, childList: true, characterData: true });
    await gateway.push('session:created', {
      numero: '34600000001',
      state: 'CONNECTED',
      waiting: false,
      group: 'Caja',
    });
    await waitFor(() => expect(headings()).to.include('Caja 1 sesión'));
    observer.disconnect();
    expect([...seen].filter((heading) => /^caja/i.test(heading))).to.deep.equal(['Caja 1 sesión']);
  });

  it('filter the list, and have no heading where nothing is found', async () => {
    expect(Array.from(groupSelect().options, ({ text }) => text)).to.deep.equal([
      'Todos los grupos',
      'Árbol (1)',
      'Ventas (2)',
      'Sin grupo (9)',
    ]);
    choose('=ventas');
    await waitFor(() => expect(panel.numeros()).to.deep.equal([1, 5].map(numeroOf)));
    expect(headings()).to.have.length(1);
    await click(panel.button(/^Requieren atención/));
    await waitFor(() => expect(panel.numeros()).to.deep.equal([numeroOf(5)]));
  });

  it('stay in the filter while one is chosen, though its last session leaves it', async () => {
    choose('=árbol');
    await name(gateway, 7, { group: null });
    await panel.find('button', 'Mostrar todas');
    expect(groupSelect().selectedOptions[0]?.text).to.equal('árbol (0)');
    await click(panel.button('Mostrar todas'));
    await waitFor(() => expect(panel.numeros()).to.have.length(12));
    expect(groupSelect().value).to.equal('');
  });

  it("move no row under the operator's hand, and keep what was typed when they do", async () => {
    await click(panel.button(`Abrir ${numeroOf(3)}`));
    const field = panel.textbox('Mensaje de Prueba', await panel.card(numeroOf(3)));
    await fill(field, 'a medio escribir');
    const before = panel.numeros();
    await name(gateway, 3, { group: 'Árbol' });
    await waitFor(() => expect(headings()[0]).to.equal('Árbol 2 sesiones'));
    expect(panel.numeros()).to.deep.equal(before);
    panel.get('searchbox', 'Buscar').focus();
    await hover(panel.get('heading', 'Sesiones activas'));
    await waitFor(() => expect(panel.numeros().slice(0, 2)).to.deep.equal([3, 7].map(numeroOf)));
    expect(field.value).to.equal('a medio escribir');
    expect(field.isConnected).to.equal(true);
  });
});
