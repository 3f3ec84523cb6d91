import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { sendKeys } from '@web/test-runner-commands';
import { expect } from 'chai';
import { chord, click, holding, press, type } from '../support/input.ts';
import { existing, openPanel, type Panel } from '../support/panel.ts';

const NUMERO = '5491155550001';
/** So many that there is a bar. */
const sessions = Array.from({ length: 12 }, (_, index) => ({
  numero: String(Number(NUMERO) + index),
  state: 'connected' as const,
}));
const EVENTS = ['keydown', 'keypress', 'keyup'] as const;

describe('the keys that the page around the panel hears', () => {
  let panel: Panel;
  let card: HTMLElement;
  let heard: string[];
  let captured: string[];
  let listening: AbortController;

  beforeEach(async () => {
    ({ panel } = await openPanel({ sessions }));
    card = await panel.card(NUMERO);
    heard = [];
    captured = [];
    listening = new AbortController();
    const { signal } = listening;
    for (const name of EVENTS) {
      document.body.addEventListener(name, ({ key }) => heard.push(`${name} ${key}`), { signal });
      addEventListener(name, ({ key }) => captured.push(`${name} ${key}`), { signal, capture: true });
    }
  });

  afterEach(() => listening.abort());

  async function openMenu(): Promise<HTMLElement> {
    await click(panel.button(`Más acciones de ${NUMERO}`, card));
    return panel.find('menu');
  }

  it('are none while somebody types, and those that capture hear all of them', async () => {
    await click(panel.textbox('Mensaje de Prueba', card));
    await type('sí ?');
    await press('ArrowLeft', 'Backspace', 'Home', 'Enter');
    await panel.notice('El número de destino no es válido.');
    expect(heard).to.deep.equal([]);
    expect(captured).to.include.members([
      'keydown s',
      'keypress s',
      'keyup s',
      'keypress Enter',
      'keyup Home',
    ]);
  });

  it('are none in a list of choices, where letters choose', async () => {
    panel.get('combobox', 'Orden').focus();
    await press('n');
    expect(heard).to.deep.equal([]);
  });

  it('are shortcuts with a modifier, and Tab, from a text field too', async () => {
    await click(panel.textbox('Mensaje de Prueba', card));
    await chord('Control', 'k');
    await press('Tab');
    expect(heard).to.include.members(['keydown k', 'keyup k', 'keydown Tab', 'keydown Control']);
  });

  it('are letters, but neither Enter nor space, where a button has the focus', async () => {
    panel.button('Levantar Sesión', card).focus();
    await press('g');
    expect(heard).to.deep.equal(['keydown g', 'keypress g', 'keyup g']);
    heard = [];
    await press('Enter');
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    panel.button('Eliminar Sesión', card).focus();
    await press(' ');
    await panel.openDialog();
    expect(heard).to.deep.equal([]);
  });

  it('include Escape where nothing is open', async () => {
    panel.button('Levantar Sesión', card).focus();
    await press('Escape');
    expect(heard).to.deep.equal(['keydown Escape', 'keyup Escape']);
  });

  const closings: Record<string, () => Promise<() => Element | null>> = {
    'a dialog': async () => {
      await click(panel.button(`Historial de ${NUMERO}`, card));
      await panel.openDialog();
      return () => panel.dialog();
    },
    'a notice in a dialog': async () => {
      await click(panel.button('Levantar Sesión', card));
      await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
      await click(panel.button(`Historial de ${NUMERO}`, card));
      await panel.openDialog();
      existing(panel.root.querySelector<HTMLElement>('.notices button')).focus();
      return () => panel.dialog();
    },
    'a menu': async () => {
      await openMenu();
      return () => panel.root.querySelector('[role="menu"]');
    },
    'a form': async () => {
      await openMenu();
      await press('Enter');
      await waitFor(() => expect(panel.focused?.localName).to.equal('input'));
      return () => panel.root.querySelector('.name-form');
    },
    'a row': async () => {
      await click(panel.button('Lista'));
      await click(await panel.find('button', `Abrir ${NUMERO}`));
      return () => panel.root.querySelector('[data-opened]');
    },
    'a search': async () => {
      const search = panel.get('searchbox');
      search.focus();
      await type('5491');
      await waitFor(() => expect(panel.text).to.include('12 de 12 sesiones'));
      return () => panel.root.querySelector('[type="search"]:not(:placeholder-shown)');
    },
  };
  for (const [what, open] of Object.entries(closings)) {
    it(`do not include the Escape that closes ${what}, but the next`, async () => {
      const opened = await open();
      expect(opened()).not.to.equal(null);
      heard = [];
      await press('Escape');
      await waitFor(() => expect(opened()).to.equal(null));
      expect(heard).to.deep.equal([]);
      await press('Escape');
      expect(heard).to.deep.equal(['keydown Escape', 'keyup Escape']);
    });
  }

  it('do not include an Escape that is held after it has closed something', async () => {
    await click(panel.button(`Historial de ${NUMERO}`, card));
    await panel.openDialog();
    await holding('Escape', () => sendKeys({ down: 'Escape' }));
    expect(panel.dialog()).to.equal(null);
    expect(heard).to.deep.equal([]);
  });

  it('do not include those of an input method', async () => {
    const field = panel.textbox('Mensaje de Prueba', card);
    for (const name of ['keydown', 'keyup'] as const)
      field.dispatchEvent(
        new KeyboardEvent(name, {
          key: 'Escape',
          code: 'Escape',
          isComposing: name === 'keydown',
          bubbles: true,
          composed: true,
        }),
      );
    expect(heard).to.deep.equal([]);
  });

  it('do not include the Escape that a question does not take for an answer', async () => {
    await click(panel.button('Eliminar Sesión', card));
    await panel.openDialog();
    await press('Escape');
    expect(panel.dialog()).not.to.equal(null);
    expect(heard).to.deep.equal([]);
  });

  it('include the release of a key that was pressed in the page', async () => {
    const field = panel.textbox('Mensaje de Prueba', card);
    const button = document.createElement('button');
    document.body.append(button);
    button.focus();
    await holding('a', async () => field.focus());
    expect(heard).to.include('keyup a');
    button.remove();
  });

  it('are the same after the panel has been out of the page', async () => {
    const { element } = panel;
    element.remove();
    await waitFor(() => expect(element.matches(':state(loading)')).to.equal(false));
    document.body.append(element);
    await panel.ready();
    await click(panel.textbox('Mensaje de Prueba', await panel.card(NUMERO)));
    await type('a');
    expect(heard).to.deep.equal([]);
  });
});
