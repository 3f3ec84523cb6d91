import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { nextFrame } from '../support/frame.ts';
import type { Gateway } from '../support/gateway.ts';
import { click, clickAt, press } from '../support/input.ts';
import { openPanel, type Panel } from '../support/panel.ts';
import { resize } from '../support/viewport.ts';

const NUMERO = '5491155550001';
const OTHER = '5491155550002';
const MORE = `Más acciones de ${NUMERO}`;

describe('the menu of a session', () => {
  let gateway: Gateway;
  let panel: Panel;

  async function open(attributes?: Record<string, string>) {
    ({ gateway, panel } = await openPanel(
      {
        extensions: ['link', 'unlink'],
        sessions: [
          { numero: NUMERO, state: 'disconnected' },
          { numero: OTHER, state: 'connected' },
        ],
      },
      attributes,
    ));
  }
  const button = () => panel.find('button', MORE);
  const menu = () => panel.find('menu', MORE);
  const closed = () => waitFor(() => expect(panel.all('menu')).to.deep.equal([]));
  const toFocus = (name: string) => waitFor(() => expect(panel.focused?.textContent).to.equal(name));

  it('is not there where the server announces nothing for it', async () => {
    await open();
    await button();
    await gateway.announce('details', 'history', 'ack');
    await waitFor(() => expect(panel.all('button', /Más acciones/)).to.deep.equal([]));
  });

  it('comes and goes without a change to the button beside it, which keeps the focus', async () => {
    await open();
    await button();
    const history = panel.button(`Historial de ${NUMERO}`);
    history.focus();
    await gateway.announce('history');
    await waitFor(() => expect(panel.all('button', MORE)).to.deep.equal([]));
    expect(panel.focused).to.equal(history);
    await gateway.announce('history', 'unlink');
    await button();
    expect(panel.focused).to.equal(history);
  });

  it('has what the server can do, and no more', async () => {
    await open();
    await gateway.announce('unlink');
    await click(await button());
    const list = await menu();
    const items = () => panel.all('menuitem', undefined, list).map(({ textContent }) => textContent);
    await waitFor(() => expect(items()).to.deep.equal(['Desvincular']));
  });

  it('opens by Enter and Space, is walked through by arrows, and closes by Escape', async () => {
    await open();
    for (const key of ['Enter', ' ']) {
      (await button()).focus();
      await press(key);
      await toFocus('Enviar enlace');
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

  it('is left by Tab, to what follows its button', async () => {
    await open();
    (await button()).focus();
    await press('Enter');
    await toFocus('Enviar enlace');
    await press('Tab');
    await closed();
    expect(panel.focused?.textContent).to.equal('Levantar');
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

  it('closes when its session goes', async () => {
    await open();
    await click(await button());
    await menu();
    await gateway.answer({ method: 'GET', path: '/api/session/sessions' }, { json: [] });
    await panel.element.refresh();
    await closed();
    await waitFor(() => expect(panel.focused?.matches('h2'), 'the focus above the cards').to.equal(true));
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

  it('is in an open row, with targets for a finger', async () => {
    await open({ view: 'list' });
    expect(panel.all('button', MORE)).to.deep.equal([]);
    await click(panel.button(`Abrir ${NUMERO}`));
    await click(await button());
    for (const target of [await button(), ...panel.all('menuitem', undefined, await menu())]) {
      const { width, height } = target.getBoundingClientRect();
      expect(Math.min(width, height)).to.be.at.least(44);
    }
    await press('Escape');
    await closed();
    expect(panel.focused).to.equal(await button());
  });

  it('asks before it unlinks, says what stays, and reports a failure', async () => {
    await open();
    const unlinks = () => gateway.requests('POST', `/api/session/${NUMERO}/unlink`);
    await gateway.answer({ method: 'POST', path: '/api/session/*/unlink', times: 1 }, { status: 202 });
    const choose = async () => {
      await click(await button());
      await click(await panel.find('menuitem', 'Desvincular'));
      return panel.openDialog();
    };
    let dialog = await choose();
    expect(dialog.textContent).to.include('Seguirá en la lista con su nombre y su historial');
    await click(panel.button('Cancelar', dialog));
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    expect(panel.focused).to.equal(await button());
    expect(await unlinks()).to.deep.equal([]);
    dialog = await choose();
    await click(panel.button('Desvincular', dialog));
    await waitFor(async () => expect(await unlinks()).to.have.length(1));
    expect(panel.numeros()).to.deep.equal([NUMERO, OTHER]);
  });
});
