import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import type { Gateway } from '../support/gateway.ts';
import { click, clickAt, press } from '../support/input.ts';
import { openPanel, type Panel } from '../support/panel.ts';

const NUMERO = '5215550001111';
const OTHER = '5215550002222';
const DELETE = { method: 'DELETE', path: `/api/session/${NUMERO}` };

describe('the dialog that deletes a session', () => {
  let gateway: Gateway;
  let panel: Panel;
  let card: HTMLElement;
  let dialog: HTMLDialogElement;

  beforeEach(async () => {
    ({ gateway, panel } = await openPanel({
      sessions: [
        { numero: NUMERO, state: 'connected' },
        { numero: OTHER, state: 'connected' },
      ],
    }));
    card = await panel.card(NUMERO);
    await click(panel.button('Eliminar Sesión', card));
    dialog = await panel.openDialog();
  });

  it('has the wording of the spec', () => {
    expect(dialog.matches(':modal')).to.equal(true);
    expect(panel.get('dialog', `¿Estas seguro de eliminar la sesión de ${NUMERO}?`)).to.equal(dialog);
    expect(dialog.textContent).to.include('Interrumpirás la conexión y deberás escanear nuevamente el QR');
  });

  it('is persistent', async () => {
    await press('Escape', 'Escape', 'Escape', 'Escape');
    await clickAt(5, 5);
    expect(panel.dialog()).to.equal(dialog);
  });

  it('has the focus on Cancelar, so that Enter deletes nothing by accident, and restores the focus', async () => {
    expect(panel.focused).to.equal(panel.button('Cancelar', dialog));
    await press('Enter');
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    expect(panel.focused).to.equal(panel.button('Eliminar Sesión', card));
    expect(await gateway.requests('DELETE')).to.deep.equal([]);
  });

  it('shows the session as closing until the server has answered, then removes it and says so', async () => {
    const release = await gateway.hold(DELETE);
    await click(panel.button('Eliminar', dialog));
    await panel.find('progressbar', undefined, card);
    expect(card.textContent).to.include('CERRANDO SESIÓN...');
    expect(panel.numeros()).to.deep.equal([NUMERO, OTHER]);
    await release();
    await panel.notice(`La sesión de ${NUMERO} ha sido eliminada`);
    await panel.lists([OTHER]);
    expect(await gateway.requests('DELETE', DELETE.path)).to.have.length(1);
  });
});
