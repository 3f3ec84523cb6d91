import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { nextFrame } from '../support/frame.ts';
import type { Gateway } from '../support/gateway.ts';
import { click, clickAt, press } from '../support/input.ts';
import { existing, openPanel, type Panel } from '../support/panel.ts';
import { resize } from '../support/viewport.ts';

const NUMERO = '5491155550001';
const OTHER = '5491155550002';
const MORE = `Más acciones de ${NUMERO}`;

describe('the menu of a session', () => {
  let panel: Panel;
  let gateway: Gateway;

  async function open(attributes?: Parameters<typeof openPanel>[1]) {
    const opened = await openPanel(
      {
        extensions: ['link', 'unlink'],
        sessions: [
          { numero: NUMERO, state: 'connected' },
          { numero: OTHER, state: 'connected' },
        ],
      },
      attributes,
    );
    ({ panel, gateway } = opened);
    await gateway.push('session:change_state', { numero: NUMERO, state: 'CONFLICT' });
    await waitFor(() => expect(panel.text).to.include('CONFLICT'));
  }
  const button = () => panel.find('button', MORE);
  const menu = () => panel.find('menu', MORE);
  const closed = () => waitFor(() => expect(panel.all('menu')).to.deep.equal([]));
  const toFocus = (name: string) => waitFor(() => expect(panel.focused?.textContent).to.equal(name));
  const openByKey = async (key: string) => {
    (await button()).focus();
    await press(key);
    await toFocus('Enviar enlace');
  };

  it('opens by Enter and Space, is walked through by arrows, and closes by Escape', async () => {
    await open();
    for (const key of ['Enter', ' ']) {
      await openByKey(key);
      await press('ArrowDown');
      await toFocus('Desvincular');
      await press('ArrowDown');
      await toFocus('Enviar enlace');
      await press('ArrowUp');
      await toFocus('Desvincular');
      await press('Home');
      await toFocus('Enviar enlace');
      await press('End');
      await toFocus('Desvincular');
      await press('Escape');
      await closed();
      expect(panel.focused).to.equal(await button());
    }
  });

  it('is not seen before it has its actions and its place', async () => {
    await open();
    const more = await button();
    const box = existing(more.parentElement?.querySelector('[popover]'));
    more.click();
    expect(box.matches(':popover-open')).to.equal(true);
    expect(box.checkVisibility({ visibilityProperty: true })).to.equal(false);
    expect((await menu()).checkVisibility({ visibilityProperty: true })).to.equal(true);
  });

  it('keeps the focus when the action that has it is no longer offered', async () => {
    await open();
    await openByKey('Enter');
    await press('End');
    await toFocus('Desvincular');
    await gateway.push('session:change_state', { numero: NUMERO, state: 'UNPAIRED' });
    await toFocus('Enviar enlace');
    await press('Escape');
    await closed();
    expect(panel.focused).to.equal(await button());
  });

  it('is left by Tab, to what follows its button', async () => {
    await open();
    await openByKey('Enter');
    await press('Tab');
    await closed();
    expect(panel.focused).to.equal(panel.all('textbox', 'Mensaje de Prueba')[0]);
  });

  it('closes by a click beside it and by one on its button, and gives way to that of another session', async () => {
    await open();
    await click(await button());
    await menu();
    await clickAt(3, 300);
    await closed();
    await click(await button());
    await menu();
    await click(await button());
    await closed();
    await click(await button());
    await menu();
    await click(panel.button(`Más acciones de ${OTHER}`));
    await panel.find('menu', `Más acciones de ${OTHER}`);
    expect(panel.all('menu')).to.have.length(1);
  });

  it('is by its button and inside the window, narrow, scrolled and in a transformed page', async () => {
    await open();
    document.body.style.transform = 'translate(3px, 5px)';
    try {
      for (const width of [320, 1000]) {
        await resize(panel, width, 500);
        await click(await button());
        const list = await menu();
        for (const by of [0, 60]) {
          scrollBy(0, by);
          await nextFrame();
          await waitFor(() => {
            const at = panel.button(MORE).getBoundingClientRect();
            const box = list.getBoundingClientRect();
            expect(Math.min(Math.abs(box.top - at.bottom), Math.abs(box.bottom - at.top))).to.be.below(2);
            expect(Math.min(box.left, box.top)).to.be.at.least(0);
            expect(box.right).to.be.at.most(innerWidth);
            expect(box.bottom).to.be.at.most(innerHeight);
          });
        }
        await press('Escape');
        await closed();
      }
    } finally {
      document.body.style.transform = '';
      await resize(panel, 1000, 800);
    }
  });

  it('is in a row that is open where the panel is narrow, for fingers and keys', async () => {
    await open({ view: 'list', order: 'server' });
    await resize(panel, 320, 800);
    expect(panel.all('button', MORE)).to.deep.equal([]);
    const toggles = () => panel.all('button', /^Abrir/);
    await click(panel.get('heading', NUMERO));
    await click(await button());
    await menu();
    await press('Escape');
    await closed();
    await press('ArrowDown');
    expect(panel.focused).to.equal(toggles()[1]);
    await press('ArrowUp', 'Tab', 'Tab', 'Enter');
    await menu();
    await press('Escape');
    await closed();
    await resize(panel, 1000, 800);
  });
});
