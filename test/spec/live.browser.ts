import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { stopClock } from '../support/browser-clock.ts';
import type { Gateway } from '../support/gateway.ts';
import { click } from '../support/input.ts';
import { openPanel, type Panel } from '../support/panel.ts';
import { decodeQr } from '../support/qr.ts';

const NUMERO = '5215550001111';
const OTHER = '5215550002222';

describe('a pushed change of a session', () => {
  let gateway: Gateway;
  let panel: Panel;
  let card: HTMLElement;

  beforeEach(async () => {
    ({ gateway, panel } = await openPanel({
      sessions: [
        { numero: NUMERO, state: 'waiting' },
        { numero: OTHER, state: 'connected' },
      ],
    }));
    card = await panel.card(NUMERO);
  });

  it('`qr` draws a code that a phone can read, 300 pixels wide, at level H', async () => {
    stopClock();
    for (const code of [await realCode(), await realCode()]) {
      await gateway.push(`session:qr:${NUMERO}`, code);
      await waitFor(async () => expect(await qrOnScreen()).to.deep.include({ text: code, level: 'H' }));
      expect(card.textContent).to.include('AUTENTICANDO...');
      expect(panel.all('progressbar', undefined, card)).to.deep.equal([]);
    }
    const { width, height } = panel.get('img', /QR/, card).getBoundingClientRect();
    expect([width, height]).to.deep.equal([300, 300]);
  });

  it('`authenticated` clears the code, keeps the state, and gives a notice', async () => {
    await gateway.push(`session:qr:${NUMERO}`, 'un código');
    await panel.find('img', /QR/, card);
    await gateway.push(`session:authenticated:${NUMERO}`);
    const notice = await panel.notice(`Sesión de ${NUMERO} autenticada y lista para usarse`);
    expect(notice.getAttribute('role')).to.equal('status');
    await waitFor(() => expect(panel.all('img', /QR/, card)).to.have.length(0));
    expect(card.textContent).to.include('AUTENTICANDO...');
  });

  it('DESCONECTADO can be followed by Levantar Sesión on the same card', async () => {
    // The gateway has not heard of what is pushed here.
    await gateway.hold({ method: 'GET', path: '/api/session/sessions' });
    await gateway.push(`session:disconnected:${NUMERO}`);
    await showsState('DESCONECTADO');
    // A real start would be followed by a code at once.
    await gateway.answer({ method: 'GET', path: '/api/session/levanta/*' }, { json: { numero: NUMERO } });
    await click(panel.button('Levantar Sesión', card));
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    await showsState('AUTENTICANDO...');
    panel.get('progressbar', undefined, card);
    expect(panel.numeros()).to.deep.equal([NUMERO, OTHER]);
  });

  const showsState = (state: string) =>
    waitFor(() => expect(card.querySelector('[part="state"]')?.textContent).to.equal(state));

  const qrOnScreen = async () => decodeQr(await panel.find('img', /QR/, card), 3);

  /** A random text in the format and length of WhatsApp's codes. */
  const realCode = async () => {
    const fields = [72, 32, 32, 32].map((bytes) => crypto.getRandomValues(new Uint8Array(bytes)));
    return `2@${fields.map((field) => btoa(String.fromCharCode(...field))).join(',')}`;
  };
});

describe('a session from the first code to the last', () => {
  it('is linked by scanning, loses its line, gets it back and is unlinked', async () => {
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'qr' }] });
    const card = await panel.card(NUMERO);
    const phone = gateway.phone(NUMERO);
    const shows = (state: string) => waitFor(() => expect(card.textContent).to.include(state));

    const seen = await decodeQr(await panel.find('img', /QR/, card), 3);
    expect(seen?.text).to.be.a('string');
    await phone.scan(seen?.text);
    await panel.notice(`Sesión de ${NUMERO} autenticada y lista para usarse`);
    await shows('CONNECTED');
    await phone.loseLine();
    await shows('OPENING');
    await phone.recoverLine();
    await shows('CONNECTED');
    await phone.logOut();
    await shows('DESCONECTADO');
  });

  it('ends DESCONECTADO when nobody scans any of its codes', async () => {
    const { panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'qr' }], speed: 200 });
    const card = await panel.card(NUMERO);
    await waitFor(() => expect(card.textContent).to.include('DESCONECTADO'));
    expect(panel.all('img', /QR/, card)).to.deep.equal([]);
  });
});
