import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { executeServerCommand } from '@web/test-runner-commands';
import { expect } from 'chai';
import type { AccessibleNode } from '../support/accessibility-plugin.ts';
import { acting, READING } from '../support/acting.ts';
import { isChromium } from '../support/browser.ts';
import { nextFrame } from '../support/frame.ts';
import { click, fill } from '../support/input.ts';
import { existing, openPanel, type Panel } from '../support/panel.ts';

const numeroOf = (index: number) => String(5491155550000 + index);
const CODE = numeroOf(0);
const OFF = numeroOf(1);
const UP = numeroOf(2);
const STATES = ['qr', 'disconnected', 'connected'] as const;
const sessions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    numero: numeroOf(index),
    state: STATES[index] ?? ('connected' as const),
  }));

async function setReadOnly(panel: Panel, value: boolean): Promise<void> {
  panel.element.readOnly = value;
  await waitFor(() => expect(panel.all('button', /^Agregar/).length > 0).to.equal(!value));
}

describe('a read-only panel', () => {
  for (const view of ['cards', 'list'])
    it(`has no control that acts, and shows no code: ${view}`, async () => {
      const { panel } = await openPanel({ sessions: sessions(9) }, { view, readonly: '' });
      const card = await panel.card(CODE);
      if (view === 'list') for (const numero of [CODE, OFF, UP]) await click(panel.button(`Abrir ${numero}`));
      // An open row has no picture but that of a code.
      if (view === 'cards')
        await waitFor(() => expect(card.querySelector('.placeholder')).not.to.equal(null));
      else await waitFor(() => expect(card.querySelector('.row-inside')).not.to.equal(null));
      expect(acting(panel)).to.deep.equal([]);
      expect(card.querySelector('.qr')).to.equal(null);
      if (view === 'cards')
        expect(card.querySelector('.placeholder + svg path')?.getAttribute('d')).to.match(/^M/);
      expect(card.querySelector('.state')?.textContent).to.equal('AUTENTICANDO...');
      expect(card.querySelector('.advice')?.textContent).not.to.equal('');
    });

  it('has none in the accessibility tree', async function () {
    if (!isChromium) this.skip();
    await openPanel({ sessions: sessions(9) }, { readonly: '' });
    const nodes = await executeServerCommand<readonly AccessibleNode[], undefined>('accessibility-tree');
    const buttons = nodes.filter(({ role }) =>
      /^(button|togglebutton|popupbutton|textbox|checkbox|menuitem)$/i.test(role),
    );
    expect(buttons.map(({ name }) => name).filter((name) => !READING.test(name))).to.deep.equal([]);
    expect(buttons.length).to.be.at.least(9);
  });

  it('offers nothing to add where no session is', async () => {
    const { panel } = await openPanel({ sessions: [] }, { readonly: '' });
    await waitFor(() => expect(panel.text).to.include('No hay sesiones'));
    expect(acting(panel)).to.deep.equal([]);
  });

  it('still finds, exports and tells the history', async () => {
    const { panel } = await openPanel({ sessions: sessions(9) }, { readonly: '' });
    await fill(panel.get('searchbox') as HTMLInputElement, OFF);
    await waitFor(() => expect(panel.numeros()).to.deep.equal([OFF]));
    await click(panel.button(`Historial de ${OFF}`));
    await panel.find('dialog', `Historial de ${OFF}`);
  });
});

describe('the attribute readonly, set while somebody works', () => {
  it('closes what acts, but not what only reads', async () => {
    const { panel } = await openPanel({ sessions: sessions(3) });
    const closes = async (opener: HTMLElement, query: () => Element | null) => {
      await click(opener);
      await waitFor(() => existing(query()));
      await setReadOnly(panel, true);
      await waitFor(() => expect(query()).to.equal(null));
      await setReadOnly(panel, false);
      await nextFrame();
      expect(query()).to.equal(null);
    };
    const dialog = () => panel.dialog();
    await closes(panel.button('Agregar una nueva sesión'), dialog);
    await closes(panel.button('Eliminar Sesión', await panel.card(UP)), dialog);
    await closes(panel.button(`Ampliar el código QR de ${CODE}`), dialog);
    await closes(await panel.find('button', `Más acciones de ${UP}`), () =>
      panel.root.querySelector('[role="menu"]'),
    );
    await click(panel.button(`Historial de ${UP}`));
    const history = await panel.openDialog();
    await setReadOnly(panel, true);
    await nextFrame();
    expect(panel.dialog()).to.equal(history);
  });
});
