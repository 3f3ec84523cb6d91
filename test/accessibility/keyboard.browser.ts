import '../../src/index.ts';
import { expect } from 'chai';
import { computeAccessibleDescription } from 'dom-accessibility-api';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { press, type } from '../support/input.ts';
import { mountReady, type Panel } from '../support/panel.ts';
import { nameOf } from '../support/roles.ts';
import { until } from '../support/until.ts';

const NUMEROS = ['5215550000001', '5215550000002'];
const CARD = ['Mensaje de Prueba', 'Número', 'Enviar Mensaje', 'Levantar Sesión', 'Eliminar Sesión'];
const CONTROLS = NUMEROS.flatMap((numero) => [`Historial de ${numero}`, ...CARD]);
/** By the character: not every driver knows it by its name. */
const SPACE = ' ';
const ADD = 'Agregar una nueva sesión';

describe('by keyboard alone', () => {
  let gateway: Gateway;
  let panel: Panel;

  beforeEach(async () => {
    gateway = await startGateway({ sessions: NUMEROS.map((numero) => ({ numero, state: 'connected' })) });
    panel = await mountReady(gateway, { 'notification-timeout': '0' });
  });

  const focusedName = () => (panel.focused ? nameOf(panel.focused) : '');

  /** Tab, until the focus is on a control of that name. */
  async function tabTo(name: string): Promise<void> {
    const passed: string[] = [];
    do {
      if (passed.length > 20) throw new Error(`${name} is not among ${passed.join(', ')}`);
      await press('Tab');
      passed.push(focusedName());
    } while (focusedName() !== name);
  }

  it('Tab goes through everything in the order of the screen, with a visible focus, and on to the page', async () => {
    const after = document.createElement('button');
    document.body.append(after);
    const visited: string[] = [];
    const described: string[] = [];
    for (const _ of [ADD, ...CONTROLS]) {
      await press('Tab');
      visited.push(focusedName());
      if (panel.focused) described.push(computeAccessibleDescription(panel.focused).trim());
      const { outlineStyle, outlineWidth } = getComputedStyle(panel.focused ?? document.body);
      expect(outlineStyle, focusedName()).to.equal('solid');
      expect(parseFloat(outlineWidth), focusedName()).to.be.at.least(2);
    }
    expect(visited).to.deep.equal([ADD, ...CONTROLS]);
    // Each card has the same names: one who hears them one by one has to know whose they are.
    expect(described.slice(1)).to.deep.equal(
      NUMEROS.flatMap((numero) => [`Historial de ${numero}`, ...CARD.map(() => numero)]),
    );
    await press('Tab');
    expect(document.activeElement).to.equal(after);
    after.remove();
  });

  it('a session is added, and the focus goes back to the add button', async () => {
    await tabTo(ADD);
    await press(SPACE);
    const dialog = await panel.openDialog();
    expect(focusedName()).to.equal('Número de teléfono');
    await type('34600000001');
    await press('Tab');
    expect(focusedName()).to.equal('Cancelar');
    await press('Tab');
    expect(focusedName()).to.equal('Agregar');
    await press('Enter');
    await panel.card('34600000001');
    await until(() => !dialog.isConnected, 'the dialog to close');
    expect(focusedName()).to.equal(ADD);
  });

  it('a deletion is called off, and the focus goes back to the button of that card', async () => {
    await tabTo('Eliminar Sesión');
    const button = panel.focused;
    await press('Enter');
    const dialog = await panel.openDialog();
    expect(focusedName()).to.equal('Cancelar');
    await press(SPACE);
    await until(() => !dialog.isConnected, 'the dialog to close');
    expect(panel.focused).to.equal(button);
  });

  it('a session is deleted, and the focus stays in the panel', async () => {
    await tabTo('Eliminar Sesión');
    await press(SPACE);
    await panel.openDialog();
    await tabTo('Eliminar');
    await press('Enter');
    await panel.notice(`La sesión de ${NUMEROS[0]} ha sido eliminada`);
    await until(() => panel.numeros().length === 1, 'the card to go');
    expect(panel.focused).not.to.equal(null);
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
    await until(() => panel.notices().length === 0, 'the notice to go');
  });
});
