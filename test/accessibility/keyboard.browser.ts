import '../../src/index.ts';
import { getByRole, waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { press, type } from '../support/input.ts';
import { openPanel, type Panel } from '../support/panel.ts';

const NUMEROS = ['5215550000001', '5215550000002'];
const CARD = [
  ['textbox', 'Mensaje de Prueba'],
  ['textbox', 'Número'],
  ['button', 'Enviar Mensaje'],
  ['button', 'Levantar Sesión'],
  ['button', 'Eliminar Sesión'],
] as const;
const ADD = 'Agregar una nueva sesión';

describe('by keyboard alone', () => {
  let panel: Panel;

  beforeEach(async () => {
    ({ panel } = await openPanel(
      { sessions: NUMEROS.map((numero) => ({ numero, state: 'connected' })) },
      { 'notification-timeout': '0' },
    ));
  });

  const isFocused = (name: string) =>
    [...panel.all('button', name), ...panel.all('textbox', name)].some((one) => one === panel.focused);

  /** Presses Tab until the focus is on a control of that name. */
  async function tabTo(name: string): Promise<void> {
    for (let presses = 0; presses < 20; presses += 1) {
      await press('Tab');
      if (isFocused(name)) return;
    }
    throw new Error(`${name} is not among the next twenty`);
  }

  async function tabOnTo(control: HTMLElement): Promise<void> {
    await press('Tab');
    expect(panel.focused).to.equal(control);
    const { outlineStyle, outlineWidth } = getComputedStyle(control);
    expect(outlineStyle, control.textContent).to.equal('solid');
    expect(parseFloat(outlineWidth), control.textContent).to.be.at.least(2);
  }

  it('Tab goes through everything in the order of the screen, with a visible focus, and on to the page', async () => {
    const after = document.createElement('button');
    document.body.append(after);
    await tabOnTo(panel.button(ADD));
    for (const numero of NUMEROS) {
      const card = await panel.card(numero);
      await tabOnTo(panel.button(`Historial de ${numero}`, card));
      await tabOnTo(panel.button(`Más acciones de ${numero}`, card));
      // The names are the same on each card: the description tells screen readers which session they are for.
      for (const [role, name] of CARD)
        await tabOnTo(getByRole(card, role, { name, description: new RegExp(numero) }));
    }
    await press('Tab');
    expect(document.activeElement).to.equal(after);
    after.remove();
  });

  it('a message is sent and its notice closed', async () => {
    await tabTo('Mensaje de Prueba');
    await type('Hola');
    await press('Tab');
    await type('34600000009');
    await press('Enter');
    await panel.notice('Mensaje enviado a 34600000009');
    await tabTo('Cerrar');
    await press('Enter');
    await waitFor(() => expect(panel.notices()).to.have.length(0));
  });
});
