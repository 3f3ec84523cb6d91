import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { EXTENSIONS, PERMISSIONS, type Permission, type WireSession } from '../../src/wire.ts';
import { acting, expectTyped, typeInto } from '../support/acting.ts';
import { nextFrame } from '../support/frame.ts';
import { click, press } from '../support/input.ts';
import type { Panel } from '../support/panel.ts';
import { startPlain } from '../support/plain.ts';

const numeroOf = (index: number) => String(5491155550000 + index);
const CODE = numeroOf(0);
const OFF = numeroOf(1);
const UP = numeroOf(2);
const connected = (numero: string): WireSession => ({ numero, state: 'CONNECTED', waiting: false });
const SESSIONS: readonly WireSession[] = [
  { numero: CODE, state: 'AUTENTICANDO...', qrCode: '2@code', waiting: false },
  { numero: OFF, state: 'DESCONECTADO', waiting: false },
  ...Array.from({ length: 7 }, (_, index) => connected(numeroOf(index + 2))),
];

/** A panel whose user may do only this. */
async function openFor(actions: readonly Permission[], view = 'cards', details: object = {}) {
  const allow = (now: readonly string[]): [string, object] => ['server:permissions', { actions: now }];
  const server = await startPlain(SESSIONS, {
    announcements: [{ extensions: EXTENSIONS }],
    pushes: [allow(actions)],
    details: { name: 'Tienda', ...details },
  });
  const panel = await server.mount({ view });
  const card = await panel.card(UP);
  await waitFor(() => expect(card.textContent).to.include('Tienda'));
  const may = async (now: readonly Permission[]) => {
    await server.push(undefined, ...allow(now));
    await waitFor(() =>
      expect(panel.all('button', 'Eliminar Sesión').length > 0).to.equal(now.includes('delete')),
    );
  };
  return { server, panel, may };
}

/** What acts, each kind once, without its number. */
const kinds = (panel: Panel) =>
  [...new Set(acting(panel).map((name) => name?.replace(/\d{2,}/, '#')))].sort();

const without = (...some: Permission[]) => PERMISSIONS.filter((one) => !some.includes(one));

const MORE = 'Más acciones de #';
const SELECT = 'Seleccionar #';
const START = ['Agregar una nueva sesión', 'Levantar Sesión'];

/** What each permission brings to the screen, to the menu of a session that can be linked or unlinked, and to the selection. */
const BRINGS: Record<(typeof PERMISSIONS)[number], readonly [string[], string[], string[]]> = {
  codes: [['Ampliar el código QR de #', MORE, SELECT], ['Enviar enlace'], ['Crear enlaces (1)']],
  start: [[...START, SELECT], [], ['Levantar (1)', 'Las que hay que levantar (1)']],
  send: [['Enviar Mensaje', 'Mensaje de Prueba', 'Número'], [], []],
  label: [[MORE, SELECT], ['Nombre y grupo'], ['Agrupar…']],
  unlink: [[MORE], ['Desvincular'], []],
  delete: [['Eliminar Sesión'], [], []],
  proxy: [[MORE], ['Proxy'], []],
};

describe('a user who may', () => {
  it('do nothing gets what a read-only panel has', async () => {
    const { panel } = await openFor([]);
    await waitFor(() => expect(acting(panel)).to.deep.equal([]));
    expect(panel.root.querySelector('.qr')).to.equal(null);
    // Those further down are outlines, or not yet.
    const html = () =>
      Array.from(panel.root.querySelectorAll('article'), ({ innerHTML }) => innerHTML).slice(0, 4);
    const before = html();
    panel.element.readOnly = true;
    await nextFrame();
    expect(html()).to.deep.equal(before);
  });

  for (const [permission, [screen, menu, selection]] of Object.entries(BRINGS))
    it(`only ${permission} gets what that takes`, async () => {
      const { panel } = await openFor([permission as Permission]);
      await waitFor(() => expect(kinds(panel)).to.deep.equal([...screen].sort()));
      expect(panel.root.querySelector('.qr') !== null).to.equal(permission === 'codes');
      if (menu.length > 0) {
        await click(panel.button(`Más acciones de ${permission === 'codes' ? CODE : UP}`));
        await waitFor(() =>
          expect(panel.all('menuitem').map(({ textContent }) => textContent)).to.deep.equal(menu),
        );
        await press('Escape');
      }
      if (selection.length > 0) {
        const before = new Set(kinds(panel));
        await click(panel.get('checkbox', `Seleccionar ${CODE}`));
        const more = kinds(panel).filter((name) => !before.has(name));
        expect(more).to.deep.equal([...selection, 'Quitar selección', 'Todas (9)'].sort());
      }
    });

  it('start in a list, but not delete, gets an open row without what deletes', async () => {
    const { panel } = await openFor(['start'], 'list');
    await click(panel.button(`Abrir ${CODE}`));
    await waitFor(() => panel.button('Levantar Sesión'));
    expect(panel.all('button', /Eliminar/)).to.deep.equal([]);
    expect(panel.text).not.to.include('Apunta la cámara');
  });
});

describe('a permission that is withdrawn while somebody works', () => {
  it('closes its dialog, its question and its menu, and no others', async () => {
    const { panel, may } = await openFor(PERMISSIONS);
    const cases: [Permission, opener: string][] = [
      ['start', 'Agregar una nueva sesión'],
      ['codes', `Ampliar el código QR de ${CODE}`],
    ];
    for (const [permission, opener] of cases) {
      await click(await panel.find('button', opener));
      await panel.openDialog();
      await may(without('delete'));
      expect(panel.dialog(), permission).not.to.equal(null);
      await may(without(permission));
      await waitFor(() => expect(panel.dialog(), permission).to.equal(null));
      await may(PERMISSIONS);
      await nextFrame();
      expect(panel.dialog(), permission).to.equal(null);
    }
    await click(panel.button('Eliminar Sesión', await panel.card(UP)));
    await panel.openDialog();
    await may(without('delete'));
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    await click(panel.button(`Más acciones de ${UP}`));
    await waitFor(() => panel.get('menuitem', 'Desvincular'));
    await may(['start']);
    await waitFor(() => expect(panel.root.querySelector('[role="menu"]')).to.equal(null));
  });

  it('keeps what was typed, for when it is back', async () => {
    const { panel, may } = await openFor(PERMISSIONS);
    const card = await typeInto(panel, UP);
    await click(panel.get('checkbox', `Seleccionar ${UP}`));
    await click(panel.button('Agrupar…'));
    await may(['start']);
    await waitFor(() => expect(panel.all('textbox')).to.deep.equal([]));
    await may(PERMISSIONS);
    await waitFor(() => expectTyped(panel, card));
  });

  it('ends its run, and no other', async () => {
    const { panel, may } = await openFor(PERMISSIONS);
    await click(panel.get('checkbox', `Seleccionar ${UP}`));
    await click(panel.button('Todas (9)'));
    await click(panel.button('Levantar (9)'));
    await waitFor(() => expect(panel.text).to.include('Levantando '));
    await may(without('delete', 'label', 'codes'));
    expect(panel.text).to.include('Levantando ');
    await may(without('start'));
    await waitFor(() => expect(panel.text).not.to.include('Levantando '));
  });
});

describe('who did something', () => {
  for (const view of ['cards', 'list'])
    it(`is beside the state: ${view}`, async () => {
      const { panel } = await openFor(PERMISSIONS, view, { since: Date.now() - 300_000, by: 'Ana' });
      const card = await panel.card(OFF);
      await waitFor(() => expect(card.textContent).to.include('por Ana'));
    });

  it('is in the notice of a deletion', async () => {
    const { server, panel } = await openFor(PERMISSIONS);
    await server.push(undefined, 'session:deleted', { numero: UP, notice: 'Eliminada por Ana' });
    await waitFor(() => expect(panel.notices()).to.deep.equal(['Eliminada por Ana']));
    expect(panel.root.querySelector('.notice-called')?.textContent).to.equal(`Tienda ${UP}`);
  });
});
