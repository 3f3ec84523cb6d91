import '../../src/index.ts';
import { getByText, waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import type { WireDetails, WireSession } from '../../src/wire.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { press, type } from '../support/input.ts';
import { existing, mountReady, type Panel } from '../support/panel.ts';

const LIST = { method: 'GET', path: '/api/session/sessions' };

type Listed = WireSession & WireDetails;

const session = (numero: string, group: string): Listed => ({
  numero,
  state: 'CONNECTED',
  waiting: false,
  name: 'Cuenta',
  group,
});

const list: readonly Listed[] = [
  session('5491155550001', 'Ventas'),
  session('5491155550002', 'Soporte'),
  session('5491155550003', 'Ventas'),
];

/** The text of the live region for states, beside the notices. */
function announced({ root }: Panel): string {
  const layer = existing(root.querySelector('[part="notices"]')?.parentElement);
  return existing(layer.querySelector(':scope > [role="status"]')).textContent;
}

/** A gateway whose list is always this one. */
async function startListing(): Promise<Gateway> {
  const gateway = await startGateway();
  await gateway.answer(LIST, { json: list });
  return gateway;
}

describe('panels of groups', () => {
  it('show, count and announce their own sessions, side by side', async () => {
    const gateway = await startListing();
    const totals: number[][] = [[], []];
    const changed: string[][] = [[], []];
    const ventas = await mountReady(gateway, { group: 'ventas' });
    const soporte = await mountReady(gateway, { group: 'Soporte, Compras' });
    for (const [index, { element }] of [ventas, soporte].entries()) {
      element.addEventListener('wo-attention', ({ detail }) => totals[index]?.push(detail.act));
      element.addEventListener('wo-session-change', ({ detail }) => changed[index]?.push(detail.numero));
    }
    expect(ventas.numeros()).to.deep.equal(['5491155550001', '5491155550003']);
    expect(soporte.numeros()).to.deep.equal(['5491155550002']);

    await gateway.push('session:change_state', { numero: '5491155550002', state: 'CONFLICT' });
    await waitFor(() => expect(announced(soporte)).to.include('5491155550002'));
    await waitFor(() => expect(totals).to.deep.equal([[], [1]]));
    expect(announced(ventas)).to.equal('');
    expect(changed).to.deep.equal([[], ['5491155550002']]);
  });

  it('change their groups live, on the same connection and without a request', async () => {
    const gateway = await startListing();
    const panel = await mountReady(gateway, { group: 'Ventas' });
    const before = (await gateway.requests(LIST.method, LIST.path)).length;
    panel.element.group = 'Soporte';
    await waitFor(() => expect(panel.numeros()).to.deep.equal(['5491155550002']));
    panel.element.group = null;
    await waitFor(() => expect(panel.numeros()).to.deep.equal(list.map(({ numero }) => numero)));
    panel.element.group = 'Compras';
    await waitFor(() => expect(panel.text).to.include('No hay sesiones activas'));
    expect(await gateway.requests(LIST.method, LIST.path)).to.have.length(before);
    expect(await gateway.handshakes()).to.have.length(1);
  });

  it('give their first group to a session that is added, and to none of another group', async () => {
    const gateway = await startGateway({ sessions: [] });
    const panel = await mountReady(gateway, { group: 'Ventas, Soporte' });
    const add = async (numero: string) => {
      await panel.openAddDialog();
      await type(numero);
      await press('Enter');
      await waitFor(() => expect(panel.dialog()).to.equal(null));
    };
    await add('5491155550001');
    await waitFor(() => expect(panel.numeros()).to.deep.equal(['5491155550001']));
    expect(getByText(await panel.card('5491155550001'), 'Ventas')).to.exist;

    panel.element.group = 'Compras';
    await waitFor(() => expect(panel.numeros()).to.deep.equal([]));
    const dialog = await panel.openAddDialog();
    await type('5491155550001');
    await waitFor(() =>
      expect(panel.advice(panel.textbox('Número de teléfono', dialog))).to.include('Ya está en la lista'),
    );
    await press('Enter');
    await panel.notice('La sesión de 5491155550001 comenzará a levantarse');
    expect(panel.numeros()).to.deep.equal([]);
  });
});
