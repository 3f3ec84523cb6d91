import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import type { WireHistoryEntry } from '../../src/wire.ts';
import { holdClipboard, pasted } from '../support/clipboard.ts';
import { consoleErrors } from '../support/console.ts';
import type { Gateway } from '../support/gateway.ts';
import { click, press } from '../support/input.ts';
import { openPanel, type Panel } from '../support/panel.ts';

const NUMERO = '5491155550001';
const HISTORY = { method: 'GET', path: `/api/session/${NUMERO}/history` };
const HOUR = 60 * 60 * 1000;
const FALL: Omit<WireHistoryEntry, 'at'> = {
  event: 'disconnected',
  state: 'DESCONECTADO',
  detail: 'Otra computadora usa esta sesión.',
  code: 'replaced',
};
const FELL = 'Se desconectó. Otra computadora usa esta sesión';

describe('the history that the server keeps', () => {
  let gateway: Gateway;
  let panel: Panel;
  let dialog: HTMLDialogElement;

  beforeEach(async () => {
    ({ gateway, panel } = await openPanel({
      extensions: ['details', 'history'],
      sessions: [{ numero: NUMERO, state: 'connected' }],
    }));
  });

  const hoursAgo = (hours: number, entry: Partial<WireHistoryEntry> = {}): WireHistoryEntry => ({
    at: Math.ceil(performance.timeOrigin) - hours * HOUR,
    event: 'ready',
    state: 'CONNECTED',
    ...entry,
  });
  async function open() {
    // Pushes arrive in order: the announcement is there when this is.
    await gateway.push('session:change_state', { numero: NUMERO, state: 'OPENING' });
    await waitFor(() => expect(panel.text).to.include('OPENING'));
    await click(panel.button(`Historial de ${NUMERO}`));
    dialog = await panel.openDialog();
  }
  const lines = () =>
    panel
      .all('listitem', undefined, dialog)
      .map((item) => item.querySelector('time')?.nextElementSibling?.textContent);
  const toSay = (text: string) => waitFor(() => expect(dialog.textContent).to.include(text));

  it('tells why a session fell before the page was opened, in one click', async () => {
    await gateway.answer(HISTORY, { json: [hoursAgo(9), hoursAgo(11, FALL)] });
    await open();
    await toSay(FELL);
    await toSay('No hay nada anterior.');
    expect(lines().slice(-2)).to.deep.equal(['Conectada y lista para usarse', FELL]);
    expect(panel.focused?.localName).to.equal('ol');
  });

  it('comes page by page, by keyboard too, and ends with the focus on the list', async () => {
    const all = Array.from({ length: 60 }, (_, index) => hoursAgo(index + 1, { state: `S${index}` }));
    await gateway.answer(HISTORY, { json: all.slice(50) });
    await gateway.answer({ ...HISTORY, times: 1 }, { json: all.slice(0, 50) });
    await open();
    const earlier = await panel.find('button', 'Ver anteriores', dialog);
    earlier.focus();
    await press('Enter');
    await toSay('No hay nada anterior.');
    expect(lines().filter((line) => line === 'Conectada y lista para usarse')).to.have.length(60);
    expect(panel.all('button', 'Ver anteriores', dialog)).to.deep.equal([]);
    expect(panel.focused?.localName).to.equal('ol');
    const asked = await gateway.requests('GET', HISTORY.path);
    expect(asked).to.have.length(2);
  });

  it('has each event once that happens while it is on its way', async () => {
    const known = { at: Date.now(), event: 'change_state', state: 'TIMEOUT' };
    const release = await gateway.hold(HISTORY, { json: [known] });
    await open();
    for (const text of ['TIMEOUT', 'PAIRING'])
      await gateway.push('session:change_state', { numero: NUMERO, state: text });
    await toSay('PAIRING');
    await release();
    await toSay('No hay nada anterior.');
    expect(lines()).to.deep.equal(['Nuevo estado: PAIRING', 'Nuevo estado: TIMEOUT']);
  });

  it('begins with how the session has been, and says who did something', async () => {
    await gateway.answer(HISTORY, { json: [hoursAgo(1, { event: 'started', by: 'gw-1' })] });
    await open();
    await toSay('Comenzó a levantarse · por gw-1');
    await gateway.push(`session:details:${NUMERO}`, {
      stability: { days: 30, drops: 3, away: 25 * 60_000 },
    });
    await toSay('Últimos 30 días: 3 caídas, 25\u00a0min sin conexión');
  });

  it('that cannot be loaded is one sentence, and can be asked for again', async () => {
    consoleErrors();
    await gateway.answer(HISTORY, { json: [hoursAgo(11, FALL)] });
    await gateway.answer(
      { ...HISTORY, times: 1 },
      { status: 503, json: { message: 'La base no responde.' } },
    );
    await open();
    await toSay('No se pudo cargar el historial del servidor: La base no responde.');
    expect(lines()[0]).to.equal('Nuevo estado: OPENING');
    const retry = panel.button('Reintentar', dialog);
    retry.focus();
    await press('Enter');
    await toSay(FELL);
    expect(dialog.textContent).not.to.include('No se pudo');
  });

  it('is copied with the codes of its reasons, and words that the panel does not know', async () => {
    await gateway.answer(HISTORY, {
      json: [hoursAgo(9, { event: 'constructor', state: 'RARO' }), hoursAgo(11, FALL)],
    });
    await open();
    await toSay(FELL);
    await holdClipboard();
    await click(panel.button('Copiar', dialog));
    await toSay('Copiado');
    await press('Escape');
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    const copied = (await pasted()).split('\n');
    expect(copied[0]).to.equal(NUMERO);
    expect(copied.at(-1)).to.match(/ – Se desconectó\. Otra computadora usa esta sesión \(replaced\)$/);
    expect(copied.at(-2)).to.match(/ – constructor: RARO$/);
  });

  it('is not asked for where the server does not announce it', async () => {
    await gateway.announce('details');
    // Pushes arrive in order: the announcement is there when this is.
    await gateway.push(`session:details:${NUMERO}`, { name: 'Recepción' });
    await panel.find('article', `Recepción ${NUMERO}`);
    await click(panel.button(`Historial de ${NUMERO}`));
    dialog = await panel.openDialog();
    await toSay('Los últimos 50 sucesos desde que abriste esta página');
    expect(await gateway.requests('GET', HISTORY.path)).to.deep.equal([]);
    expect(panel.all('button', 'Ver anteriores', dialog)).to.deep.equal([]);
  });
});
