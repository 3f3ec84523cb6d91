import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import type { Gateway } from '../support/gateway.ts';
import { click, press } from '../support/input.ts';
import { openPanel, type Panel } from '../support/panel.ts';

const NUMERO = '5491155550001';
const OTHER = '5491155550002';
const MORE = `Más acciones de ${NUMERO}`;

describe('the actions in the menu of a session', () => {
  let gateway: Gateway;
  let panel: Panel;

  async function open(attributes?: Record<string, string>) {
    ({ gateway, panel } = await openPanel(
      {
        extensions: ['link', 'unlink'],
        sessions: [
          { numero: NUMERO, state: 'connected' },
          { numero: OTHER, state: 'disconnected' },
        ],
      },
      attributes,
    ));
  }
  const button = () => panel.find('button', MORE);
  const menu = () => panel.find('menu', MORE);
  const closed = () => waitFor(() => expect(panel.all('menu')).to.deep.equal([]));

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

  it('offers to unlink only what is linked, and a link only where it is not', async () => {
    await open();
    for (const [numero, entry] of [[OTHER, 'Enviar enlace'] as const, [NUMERO, 'Desvincular'] as const]) {
      await click(await panel.find('button', `Más acciones de ${numero}`));
      const list = await panel.find('menu', `Más acciones de ${numero}`);
      const items = panel.all('menuitem', undefined, list).map(({ textContent }) => textContent);
      expect(items).to.deep.equal([entry]);
    }
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

  it('is in a row, closed or open, with targets that can be hit', async () => {
    await open({ view: 'list' });
    expect(panel.all('button', MORE)).to.have.length(1);
    await click(panel.button(`Abrir ${NUMERO}`));
    await click(await button());
    for (const target of [await button(), ...panel.all('menuitem', undefined, await menu())]) {
      const { width, height } = target.getBoundingClientRect();
      expect(Math.min(width, height)).to.be.at.least(matchMedia('(pointer: coarse)').matches ? 44 : 36);
    }
    await press('Escape');
    await closed();
    expect(panel.focused).to.equal(await button());
  });

  it('asks before it unlinks, says what follows, and reports a failure', async () => {
    await open();
    const unlinks = () => gateway.requests('POST', `/api/session/${NUMERO}/unlink`);
    await gateway.answer({ method: 'POST', path: '/api/session/*/unlink', times: 1 }, { status: 202 });
    const choose = async () => {
      await click(await button());
      await click(await panel.find('menuitem', 'Desvincular'));
      return panel.openDialog();
    };
    let dialog = await choose();
    expect(dialog.textContent)
      .to.include('Dejará de enviar y recibir, y habrá que vincular el teléfono de nuevo.')
      .and.include('Quítala también en el teléfono, en Dispositivos vinculados.');
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

describe('while a start has not been answered', () => {
  const START = { method: 'GET', path: `/api/session/levanta/${NUMERO}` };

  it('a code can be enlarged, and the button says so', async () => {
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'qr' }] });
    await gateway.hold(START);
    await click(panel.button('Levantar Sesión'));
    await waitFor(() =>
      expect(panel.button('Levantar Sesión').getAttribute('aria-disabled')).to.equal('true'),
    );
    const enlarge = await panel.find('button', `Ampliar el código QR de ${NUMERO}`);
    expect(enlarge.getAttribute('aria-disabled')).not.to.equal('true');
    await click(enlarge);
    await panel.find('img', `Código QR para vincular ${NUMERO}`, await panel.openDialog());
  });

  it('a button that would start the session again is disabled, and does nothing', async () => {
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'disconnected' }] });
    const release = await gateway.hold(START);
    const start = panel.button('Levantar Sesión');
    await click(start);
    await waitFor(() => expect(start.getAttribute('aria-disabled')).to.equal('true'));
    await click(start);
    await release();
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    expect(await gateway.requests('GET', START.path)).to.have.length(1);
  });
});
