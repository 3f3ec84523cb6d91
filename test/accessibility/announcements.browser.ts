import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { consoleErrors } from '../support/console.ts';
import type { Gateway } from '../support/gateway.ts';
import { click, type } from '../support/input.ts';
import { openPanel, type Panel } from '../support/panel.ts';

const COUNT = 100;
const numeroOf = (index: number) => String(5491155550000 + index);
const FIRST = numeroOf(0);

describe('a screen reader', () => {
  let gateway: Gateway;
  let panel: Panel;
  let heard: string[];
  let listener: MutationObserver;

  beforeEach(async () => {
    ({ gateway, panel } = await openPanel(
      {
        sessions: Array.from({ length: COUNT }, (_, index) => ({
          numero: numeroOf(index),
          state: 'connected',
        })),
      },
      { 'notification-timeout': '0' },
    ));
    // The gateway has not heard of what is pushed here: its list would undo that.
    await gateway.hold({ method: 'GET', path: '/api/session/sessions' });
    heard = [];
    const region = regionOf(panel);
    // As in browsers: only what is added to a live region is announced.
    listener = new MutationObserver(() => heard.push(region.textContent));
    listener.observe(region, { childList: true, characterData: true, subtree: true });
  });
  afterEach(() => listener.disconnect());

  const pushAll = (...states: (readonly [numero: string, state: string])[]) =>
    gateway.pushAll(states.map(([numero, state]) => ['session:change_state', { numero, state }]));
  const push = (numero: string, state: string) => pushAll([numero, state]);
  const toHear = (count: number) => waitFor(() => expect(heard).to.have.length.at.least(count));

  it('announces a change of state politely, once', async () => {
    const region = regionOf(panel);
    expect(region.getAttribute('aria-live') ?? 'polite').to.equal('polite');
    expect(region.textContent).to.equal('');
    await push(FIRST, 'OPENING');
    await toHear(1);
    await push(numeroOf(1), 'PAIRING');
    await toHear(2);
    expect(heard).to.deep.equal([
      `Se cayó Ventas Sur ${FIRST}: OPENING`,
      `Se cayó Soporte Este ${numeroOf(1)}: PAIRING`,
    ]);
  });

  it('announces the number of changes in a storm, once a second at most', async () => {
    const startedAt = performance.now();
    for (const state of ['OPENING', 'PAIRING']) {
      await pushAll(...Array.from({ length: COUNT }, (_, index) => [numeroOf(index), state] as const));
    }
    await push(FIRST, 'TIMEOUT');
    await waitFor(() => expect(panel.text).to.include('TIMEOUT'));
    await waitFor(() =>
      expect(heard.join('\n')).to.match(/^\d+ sesiones cambiaron de estado; se cayeron: \d+$/m),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    expect(heard.length).to.be.at.most(Math.ceil(seconds));
  });

  it('announces again what happens again', async () => {
    await push(FIRST, 'OPENING');
    await toHear(1);
    await push(FIRST, 'CONNECTED');
    await toHear(2);
    for (const state of ['OPENING', 'PAIRING', 'OPENING']) {
      const before = heard.length;
      await pushAll(...[0, 1, 2, 3].map((index) => [numeroOf(index), state] as const));
      await toHear(before + 1);
    }
    expect(heard.slice(2)).to.deep.equal([
      '4 sesiones cambiaron de estado; se cayeron: 4',
      '4 sesiones cambiaron de estado',
      '4 sesiones cambiaron de estado',
    ]);
  });

  it('announces nothing for a session whose state changed back', async () => {
    await pushAll([FIRST, 'OPENING'], [FIRST, 'CONNECTED'], [numeroOf(1), 'OPENING']);
    await toHear(1);
    expect(heard).to.deep.equal([`Se cayó Soporte Este ${numeroOf(1)}: OPENING`]);
  });

  it('announces no drop of a session that somebody has started meanwhile', async () => {
    await pushAll([FIRST, 'OPENING'], [FIRST, 'AUTENTICANDO...'], [numeroOf(1), 'OPENING']);
    await toHear(1);
    expect(heard).to.deep.equal([
      `Ventas Sur ${FIRST}: AUTENTICANDO.... Se cayó Soporte Este ${numeroOf(1)}: OPENING`,
    ]);
  });

  it('announces changes and notices while a dialog is open, and they can be reached', async () => {
    consoleErrors();
    await gateway.answer({ method: 'GET', path: '/api/session/levanta/*' }, { status: 503 });
    const dialog = await panel.openAddDialog();
    await type('34600000001');
    await click(panel.button('Agregar', dialog));
    const notice = await panel.notice('Request failed with status code 503');
    // Everything outside an open modal dialog is inert: neither announced nor reachable.
    expect(dialog.contains(notice)).to.equal(true);
    expect(dialog.contains(regionOf(panel))).to.equal(true);
    await push(FIRST, 'OPENING');
    await toHear(1);
    await click(panel.button('Cerrar'));
    await waitFor(() => expect(panel.notices()).to.have.length(0));
    await click(panel.button('Cancelar', dialog));
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    await push(FIRST, 'PAIRING');
    await toHear(2);
    expect(heard).to.deep.equal([`Se cayó Ventas Sur ${FIRST}: OPENING`, `Ventas Sur ${FIRST}: PAIRING`]);
  });
});

/** The live region for states, beside the notices. */
function regionOf(panel: Panel): HTMLElement {
  const layer = panel.root.querySelector('[part="notices"]')?.parentElement;
  const region = layer?.querySelector<HTMLElement>(':scope > [role="status"]');
  if (!region) throw new Error('there is no live region');
  return region;
}
