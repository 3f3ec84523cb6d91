import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { jumpAhead } from '../support/browser-clock.ts';
import type { Gateway } from '../support/gateway.ts';
import { press } from '../support/input.ts';
import { existing, openPanel, type Panel } from '../support/panel.ts';
import { resize } from '../support/viewport.ts';

const NUMERO = '5491155550001';
const HOUR = 60 * 60 * 1000;
const GENERIC = 'Está desconectada de WhatsApp';
const REASON = { code: 'logged-out', text: 'WhatsApp cerró la sesión.' };

describe('since when a session is in its state, and why', () => {
  let gateway: Gateway;
  let panel: Panel;
  let card: HTMLElement;

  async function open(attributes?: Record<string, string>) {
    ({ gateway, panel } = await openPanel(
      { extensions: ['details'], sessions: [{ numero: NUMERO, state: 'disconnected' }] },
      attributes,
    ));
    card = await panel.card(NUMERO);
  }
  const push = (change: object) => gateway.push(`session:details:${NUMERO}`, change);
  const toSay = (text: string) => waitFor(() => expect(card.textContent).to.include(text));
  const notToSay = (text: string) => waitFor(() => expect(card.textContent).not.to.include(text));

  it('are on its card, in place of what the state means in general', async () => {
    await open();
    await toSay(GENERIC);
    await push({ since: Date.now() - 3 * HOUR, reason: REASON });
    await toSay('Desde hace 3 h');
    await toSay(REASON.text);
    expect(card.textContent).not.to.include(GENERIC);
    await push({ since: null, reason: null });
    await toSay(GENERIC);
    expect(card.textContent).not.to.include('Desde');
    expect(card.textContent).not.to.include(REASON.text);
  });

  it('say so while the state is new', async () => {
    await open();
    await push({ since: Date.now() });
    await toSay('Desde hace poco');
  });

  it('can be read on an open row of any width, which moves no column', async () => {
    await open({ view: 'list' });
    await push({
      since: Date.now() - 30 * HOUR,
      reason: REASON,
      label: 'Caja de la sucursal',
      link: { id: 'a1', expires: Date.now() + HOUR },
    });
    await toSay(REASON.text);
    const measure = (selector: string) => existing(card.querySelector(selector)).getBoundingClientRect();
    const toggle = panel.button(`Abrir ${NUMERO}`);
    for (const width of [320, 412, 640, 890, 910, 1240, 1440]) {
      await resize(panel, width, 700);
      const closed = measure('time');
      toggle.focus();
      await press('Enter');
      await waitFor(() => expect(toggle.ariaExpanded).to.equal('true'));
      expect(measure('.advice').width, `the width of the advice at ${width}`).to.be.at.least(170);
      if (width >= 910) expect(measure('time').right, `at ${width}`).to.equal(closed.right);
      await press('Enter');
      await waitFor(() => expect(toggle.ariaExpanded).to.equal('false'));
    }
  });

  it('are joined by the link that is out, until it is over', async () => {
    await open();
    const expires = halfPast(Date.now() + HOUR);
    await push({ link: { id: 'a1', expires } });
    await toSay(`Enlace enviado, vence a las ${clock(expires)}`);
    const opened = halfPast(Date.now() - HOUR);
    await push({ link: { id: 'a1', expires, opened } });
    await toSay(`Enlace abierto a las ${clock(opened)}`);
    await push({ link: null });
    await notToSay('Enlace');
  });

  it('do not tell of a link that is over, where the server has not said so', async () => {
    await open();
    await push({ link: { id: 'a2', expires: Date.now() + HOUR } });
    await toSay('Enlace enviado');
    jumpAhead(2 * HOUR);
    await push({ since: Date.now() });
    await notToSay('Enlace');
  });
});

/** The middle of a minute: the clocks of browser and server may be seconds apart on a busy machine. */
const halfPast = (moment: number) => Math.floor(moment / 60_000) * 60_000 + 30_000;

const clock = (moment: number) =>
  new Intl.DateTimeFormat('es', { hour: '2-digit', minute: '2-digit' }).format(moment);
