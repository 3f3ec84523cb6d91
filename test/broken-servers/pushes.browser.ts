import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { startGateway } from '../support/gateway.ts';
import { click, fill, type } from '../support/input.ts';
import { mount, mountReady, openPanel } from '../support/panel.ts';

const NUMERO = '5491155550001';

describe('malformed pushes', () => {
  it('change nothing, and the next valid one counts', async () => {
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    const before = panel.mainText;
    await gateway.push(`session:qr:${NUMERO}`);
    await gateway.push(`session:qr:${NUMERO}`, null);
    await gateway.push(`session:qr:${NUMERO}`, { qr: 'x' });
    await gateway.push(`session:qr:${NUMERO}`, '');
    await gateway.push('session:qr:');
    await gateway.push('session:change_state');
    await gateway.push('session:change_state', null);
    await gateway.push('session:change_state', { numero: NUMERO });
    await gateway.push('session:change_state', { state: 'PERDIDO' });
    await gateway.push('session:change_state', [NUMERO, 'PERDIDO']);
    await gateway.push('session:unheard_of:1', 1);
    await gateway.push('something else');
    await gateway.push(5, 'x');
    await gateway.push('session:change_state', NUMERO, 'OPENING');
    await waitFor(() => expect(panel.text).to.include('OPENING'));
    await gateway.push('session:change_state', { numero: Number(NUMERO), state: 'PAIRING' });
    await waitFor(() => expect(panel.text).to.include('PAIRING'));
    // Pushes arrive in order: the others have come by then.
    await gateway.push(`session:ready:${NUMERO}`);
    await waitFor(() => expect(panel.mainText).to.equal(before));
  });
});

describe('a server that goes away', () => {
  it('and comes back with other sessions: the panel shows them and keeps what was typed', async () => {
    const stays = { numero: NUMERO, state: 'connected' } as const;
    const { gateway, panel } = await openPanel({
      sessions: [stays, { numero: '34600000001', state: 'connected' }],
    });
    const field = panel.textbox('Mensaje de Prueba', await panel.card(NUMERO));
    field.value = 'sin terminar';
    await gateway.restart({ sessions: [{ numero: '34600000002', state: 'disconnected' }, stays] });
    await waitFor(() => expect(panel.numeros()).to.include('34600000002'));
    expect(panel.numeros()).to.deep.equal(['34600000002', NUMERO]);
    expect(panel.textbox('Mensaje de Prueba', await panel.card(NUMERO)).value).to.equal('sin terminar');
    expect(panel.busy).to.equal(false);
    expect(panel.notices()).to.deep.equal([]);
  });

  it('is asked again when it disconnects the panel on purpose', async () => {
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    for (const sockets of [2, 3]) {
      await gateway.disconnectSockets();
      await waitFor(async () => expect(await gateway.handshakes()).to.have.length(sockets));
    }
    await panel.hears(gateway, NUMERO);
  });
});

describe('two panels on one server', () => {
  it('agree within seconds on what one of them adds or deletes, and the other keeps its typed text and focus', async () => {
    const added = '5491155550002';
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    const one = await mountReady(gateway);
    const two = await mount(gateway);
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(2));
    const field = two.textbox('Mensaje de Prueba', await two.card(NUMERO));
    await click(field);
    await type('sin terminar');
    field.setSelectionRange(4, 8);

    one.button('Agregar una nueva sesión').click();
    await fill(one.textbox('Número de teléfono', await one.openDialog()), added);
    one.button('Agregar', one.dialog() ?? one.root).click();
    // A code is drawn only where it is on the screen.
    for (const panel of [one, two]) await panel.find('button', /^Ampliar/, await panel.card(added));
    for (const panel of [one, two]) expect(panel.numeros()).to.deep.equal([NUMERO, added]);

    one.button('Eliminar Sesión', await one.card(added)).click();
    one.button('Eliminar', await one.openDialog()).click();
    for (const panel of [one, two]) await waitFor(() => expect(panel.numeros()).to.deep.equal([NUMERO]));
    expect(two.notices()).to.deep.equal([]);
    expect(two.textbox('Mensaje de Prueba')).to.equal(field);
    expect([field.value, field.selectionStart, field.selectionEnd]).to.deep.equal(['sin terminar', 4, 8]);
  });
});
